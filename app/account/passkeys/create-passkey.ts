/** Creates passkeys in a session, for the account page and for the offer after a sign-in. */
import type { FormExchange } from '#app/_ui/hosted-route.ts'
import type { Exchange } from '#lib/http/exchange.ts'
import { pageFrame } from '#lib/http/page-frame.ts'
import type { FormFields } from '#lib/http/read-params.ts'
import { authenticatorName } from '#lib/identity/passkeys/authenticator-name.ts'
import { passkeyNames } from '#lib/identity/passkeys/passkey-names.ts'
import { finishRegistration, registerOptions } from '#lib/identity/passkeys/registration.ts'
import type { BrowserHandle } from '#lib/protocol/ids.ts'
import type { Services } from '#lib/server/services.ts'
import type { OpenSession } from '../own-session.ts'
import { deviceName } from '../parts.tsx'

/** Returns the options for the browser; `null` if there are no passkeys at this address. */
export async function newPasskeyOptions(
  { services: { ports, config } }: Exchange<Services>,
  session: OpenSession,
  browser: BrowserHandle,
) {
  const names = await passkeyNames(ports, session)
  const { subject } = session
  return registerOptions(ports, { subject, browser, siteName: config.siteName, ...names })
}

/** Stores the passkey of the form. */
export async function createPasskey(
  posted: FormExchange<FormFields>,
  { subject, idp, digest }: OpenSession,
): Promise<'added' | 'failed' | 'too_many_passkeys'> {
  const { form, cookies, context, services } = posted
  const { browser } = cookies
  if (browser === null) return 'failed'
  const { ceremony = '', response = '' } = form
  const within = { kind: 'session', digest } as const
  const input = { subject, idp, browser, within, ceremony, response, nameOf: passkeyNaming(posted) }
  const outcome = await finishRegistration(services.ports, input, context)
  if (outcome.kind === 'added') return 'added'
  return outcome.reason === 'too_many_passkeys' ? outcome.reason : 'failed'
}

/** Returns a function that names a new passkey after its credential manager or, if that is not known, after the browser. */
export function passkeyNaming(exchange: Exchange<Services>): (aaguid: string) => string {
  const { t } = pageFrame(exchange)
  return aaguid => authenticatorName(aaguid) ?? deviceName(t, exchange.context.userAgent)
}
