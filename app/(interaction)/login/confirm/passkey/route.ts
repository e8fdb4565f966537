/** The form with which a signed-in user confirms the identity with a passkey; the script of the page fills it in. */
import { hostedForm } from '#app/_ui/hosted-route.ts'
import { ownSession } from '#app/account/own-session.ts'
import { respondSignIn } from '#lib/http/respond-sign-in.ts'
import { backPath } from '#lib/http/step-cookies.ts'
import { confirmWithPasskey } from '#lib/identity/passkeys/confirm.ts'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = hostedForm(
  '/login/confirm/passkey',
  async posted => {
    const { form, cookies, context, services } = posted
    const back = backPath(form.back) ?? '/account'
    const found = await ownSession(posted, { back })
    if ('elsewhere' in found) return found.elsewhere
    const { session } = found
    const { browser, sessions: previous } = cookies
    const { ceremony = '', response = '' } = form
    const confirming = { session, browser, previous, ceremony, response }
    const outcome = await confirmWithPasskey(services.ports, confirming, context)
    return respondSignIn(outcome, posted, { pending: null, username: null, back, isConfirmation: true })
  },
)
