/** Makes the challenge for a new passkey, after a fresh sign-in (MF-04). Nothing is stored. */
import { passkeyOptions } from '#app/_ui/passkey-options.ts'
import { freshSession } from '../../../fresh-session.ts'
import { newPasskeyOptions } from '../../create-passkey.ts'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = passkeyOptions(
  '/account/passkeys/add/options',
  async (exchange, browser) => {
    const found = await freshSession(exchange, '/account/passkeys/add')
    return 'elsewhere' in found ? null : newPasskeyOptions(exchange, found.session, browser)
  },
)
