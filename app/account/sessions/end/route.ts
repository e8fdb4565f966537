import { endpoint } from '#lib/http/endpoint.ts'
import { refuseWithPage } from '#lib/http/error-page.ts'
import { readForm } from '#lib/http/read-params.ts'
import { seeOther } from '#lib/http/reply.ts'
import { requireSameOrigin } from '#lib/http/same-origin.ts'
import { services } from '#lib/server/services.ts'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoint(services, {
  pattern: '/account/sessions/end',
  refuse: refuseWithPage,
  // Without a session_id: every session but this browser's.
  POST: async ({ request, cookies, context, services: s }) => {
    requireSameOrigin(request, s.config.issuer)
    const { session_id: sessionId } = await readForm(request)
    const session = await s.currentSession(cookies.session)
    if (session === null) return seeOther('/login')
    if (sessionId === undefined) await s.endAllOtherSessions({ session }, context)
    else await s.endOtherSession({ session, sessionId }, context)
    return seeOther('/account?done=ended')
  },
})
