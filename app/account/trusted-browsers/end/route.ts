/** Ends the trust in one browser of the user, or without a `browser` in all. */
import { hostedForm } from '#app/_ui/hosted-route.ts'
import { seeOther } from '#lib/http/reply.ts'
import { endTrust } from '#lib/identity/second-factor/authenticator-app.ts'
import { currentSession } from '#lib/identity/session.ts'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = hostedForm(
  '/account/trusted-browsers/end',
  async ({ form: { browser: id = null }, cookies, context, services }) => {
    const session = await currentSession(services.ports, cookies.session)
    if (session === null) return seeOther('/login')
    const ended = await endTrust(services.ports, { subject: session.subject, id }, context)
    return seeOther(ended > 0 ? '/account?done=trust_ended' : '/account')
  },
)
