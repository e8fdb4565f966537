/** Makes the challenge for the passkey that is offered after a sign-in. Nothing is stored. */
import { passkeyOptions } from '#app/_ui/passkey-options.ts'
import { newPasskeyOptions } from '#app/account/passkeys/create-passkey.ts'
import { hasFreshSignIn } from '#lib/identity/fresh-sign-in.ts'
import { currentSession } from '#lib/identity/session.ts'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = passkeyOptions(
  '/login/passkey-offer/options',
  async (exchange, browser) => {
    const { ports } = exchange.services
    const session = await currentSession(ports, exchange.cookies.session)
    if (session === null || !(await hasFreshSignIn(ports, session))) return null
    return newPasskeyOptions(exchange, session, browser)
  },
)
