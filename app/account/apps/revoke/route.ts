import { hostedForm } from '#app/_ui/hosted-route.ts'
import { seeOther } from '#lib/http/reply.ts'
import { revokeApp } from '#lib/identity/connected-apps.ts'
import { currentSession } from '#lib/identity/session.ts'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = hostedForm(
  '/account/apps/revoke',
  async ({ form: { client_id: clientId = '' }, cookies, context, services }) => {
    const session = await currentSession(services.ports, cookies.session)
    if (session === null) return seeOther('/login')
    const outcome = await revokeApp(services.ports, { session, clientId }, context)
    return seeOther(outcome === 'revoked' ? '/account?done=revoked' : '/account')
  },
)
