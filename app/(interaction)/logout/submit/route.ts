import { endedSessionCookie } from '#lib/http/cookies.ts'
import { endpoint } from '#lib/http/endpoint.ts'
import { refuseWithPage } from '#lib/http/error-page.ts'
import { encodeForm, readForm } from '#lib/http/read-params.ts'
import { seeOther } from '#lib/http/reply.ts'
import { endedFields } from '#lib/http/respond-end-session.ts'
import { requireSameOrigin } from '#lib/http/same-origin.ts'
import { services } from '#lib/server/services.ts'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoint(services, {
  pattern: '/logout/submit',
  refuse: refuseWithPage,
  POST: async ({ request, cookies, context, services: s }) => {
    requireSameOrigin(request, s.config.issuer)
    const { request: sealed } = await readForm(request)
    const session = await s.currentSession(cookies.session)
    await s.signOut({ session: cookies.session }, context)
    const redirect = s.openSignOutRequest(sealed ?? null)?.redirect ?? null
    const query = encodeForm([
      ...(sealed === undefined ? [] : [['request', sealed] as const]),
      ...endedFields(session?.idp ?? null),
    ])
    return seeOther(redirect ?? `/logout/done?${query}`, [endedSessionCookie(s.config.issuer)])
  },
})
