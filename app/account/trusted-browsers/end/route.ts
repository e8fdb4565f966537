/** Ends the trust in one browser of the user, or without a `browser` in all. */
import { hostedForm } from '#app/_ui/hosted-route.ts'
import { seeOther } from '#lib/http/reply.ts'
import { endTrust } from '#lib/identity/second-factor/authenticator-app.ts'
import { ownSession } from '../../own-session.ts'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = hostedForm(
  '/account/trusted-browsers/end',
  async posted => {
    const { form, context, services } = posted
    const { browser: id = null, user = null } = form
    const found = await ownSession(posted, { user })
    if ('elsewhere' in found) return found.elsewhere
    const ended = await endTrust(services.ports, { subject: found.session.subject, id }, context)
    return seeOther(ended > 0 ? '/account?done=trust_ended' : '/account')
  },
)
