/** Makes the challenge for a sign-in with a passkey. Nothing is stored. */
import { passkeyOptions } from '#app/_ui/passkey-options.ts'
import { signInOptions } from '#lib/identity/passkeys/sign-in.ts'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = passkeyOptions(
  '/login/passkey/options',
  ({ services }, browser) => signInOptions(services.ports, browser),
)
