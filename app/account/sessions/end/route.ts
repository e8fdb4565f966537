import { hostedForm } from '#app/_ui/hosted-route.ts'
import { seeOther } from '#lib/http/reply.ts'
import { endOtherSessions } from '#lib/identity/account.ts'
import { currentSession } from '#lib/identity/session.ts'

/** Ends another session of the user, or without a `session_id` all sessions except this browser's. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = hostedForm(
  '/account/sessions/end',
  async ({ form: { session_id: sessionId }, cookies, context, services }) => {
    const session = await currentSession(services.ports, cookies.session)
    if (session === null) return seeOther('/login')
    await endOtherSessions(services.ports, { session, sessionId: sessionId ?? null }, context)
    return seeOther(`/account?done=${sessionId === undefined ? 'ended_others' : 'ended'}`)
  },
)
