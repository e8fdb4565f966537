import { endpoint } from '#lib/http/endpoint.ts'
import { refuseWithPage } from '#lib/http/error-page.ts'
import { readForm } from '#lib/http/read-params.ts'
import { seeOther } from '#lib/http/reply.ts'
import { requireSameOrigin } from '#lib/http/same-origin.ts'
import { services } from '#lib/server/services.ts'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoint(services, {
  pattern: '/account/apps/revoke',
  refuse: refuseWithPage,
  POST: async ({ request, cookies, context, services: s }) => {
    requireSameOrigin(request, s.config.issuer)
    const { client_id: clientId = '' } = await readForm(request)
    const session = await s.currentSession(cookies.session)
    if (session === null) return seeOther('/login')
    const outcome = await s.revokeApp({ session, clientId }, context)
    return seeOther(outcome === 'revoked' ? '/account?done=revoked' : '/account')
  },
})
