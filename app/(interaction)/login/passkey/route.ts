/** The form that signs in with a passkey; the script of the sign-in page fills it in. */
import { hostedForm } from '#app/_ui/hosted-route.ts'
import { respondSignIn } from '#lib/http/respond-sign-in.ts'
import { backPath } from '#lib/http/step-cookies.ts'
import { signInWithPasskey } from '#lib/identity/passkeys/sign-in.ts'
import { parseHandle } from '#lib/protocol/ids.ts'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = hostedForm('/login/passkey', async posted => {
  const { form, cookies, context, services } = posted
  const { ceremony = '', response = '', remember } = form
  const { browser, sessions: previous, knownBrowser } = cookies
  const pending = parseHandle('pending', form.pending)
  const sent = { ceremony, response, remember: remember !== undefined, pending }
  const outcome = await signInWithPasskey(
    services.pendingPorts(),
    { ...sent, browser, previous, knownBrowser },
    context,
  )
  return respondSignIn(outcome, posted, { pending, username: null, back: backPath(form.back) })
})
