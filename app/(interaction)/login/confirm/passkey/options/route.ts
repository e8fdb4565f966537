/** Makes the challenge with which a signed-in user confirms the identity. Nothing is stored. */
import { passkeyOptions } from '#app/_ui/passkey-options.ts'
import { confirmOptions } from '#lib/identity/passkeys/confirm.ts'
import { currentSession } from '#lib/identity/session.ts'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = passkeyOptions(
  '/login/confirm/passkey/options',
  async ({ services, cookies }, browser) => {
    const session = await currentSession(services.ports, cookies.session)
    return session && confirmOptions(services.ports, session, browser)
  },
)
