import { hostedForm } from '#app/_ui/hosted-route.ts'
import { seeOther } from '#lib/http/reply.ts'

/** Without a `session_id`: all sessions except this browser's. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = hostedForm(
  '/account/sessions/end',
  async ({ form: { session_id: sessionId }, cookies, context, services }) => {
    const session = await services.currentSession(cookies.session)
    if (session === null) return seeOther('/login')
    if (sessionId === undefined) {
      await services.endAllOtherSessions({ session }, context)
      return seeOther('/account?done=ended_others')
    }
    await services.endOtherSession({ session, sessionId }, context)
    return seeOther('/account?done=ended')
  },
)
