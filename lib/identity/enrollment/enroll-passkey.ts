/** Creates a passkey in the middle of a sign-in. It is the second factor of the sign-in. */
import type { Ports } from '#lib/ports/ports.ts'
import type { SessionHandle } from '#lib/protocol/ids.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'
import type { PartialProof } from '../partial-sign-in.ts'
import { factorOfPasskey } from '../passkeys/assertion.ts'
import { passkeyNames } from '../passkeys/passkey-names.ts'
import { finishRegistration, type NewPasskeyInput, registerOptions } from '../passkeys/registration.ts'
import { type ProvenSecondFactor, passSecondFactor } from '../second-factor/prove-second-factor.ts'
import { findEnrollment, isRecentlyProven, nameOfUser } from './enroll-step.ts'

/** Returns the options for the browser; `null` if no sign-in waits for a new passkey. */
export async function enrollPasskeyOptions(
  ports: Ports,
  { siteName, ...proof }: PartialProof & { readonly siteName: string },
) {
  const found = await findPasskeyEnrollment(ports, proof)
  if (found === null) return null
  const { browser, proven } = found
  const { subject, idp } = proven
  const names = await passkeyNames(ports, { subject, idp, name: nameOfUser(proven) })
  return registerOptions(ports, { subject, browser, siteName, ...names })
}

type EnrollPasskeyInput = PartialProof &
  Pick<NewPasskeyInput, 'ceremony' | 'response' | 'nameOf'> & {
    readonly previous: readonly SessionHandle[]
    readonly knownBrowser: string | null
  }

type EnrollPasskeyOutcome =
  | { readonly kind: 'enrolled'; readonly outcome: ProvenSecondFactor }
  | { readonly kind: 'refused' }
  /** The sign-in has expired, or no longer waits for a passkey. */
  | { readonly kind: 'gone' }

/**
 * Stores the passkey and continues the sign-in. If its authenticator did not verify the user and the request requires that,
 * the step for passkeys asks next.
 */
export async function enrollPasskey(
  ports: Ports,
  { previous, knownBrowser, ceremony, response, nameOf, ...proof }: EnrollPasskeyInput,
  context: RequestContext,
): Promise<EnrollPasskeyOutcome> {
  const partial = await findPasskeyEnrollment(ports, proof)
  if (partial === null) return { kind: 'gone' }
  const { browser, proven, row } = partial
  const { subject, idp } = proven
  const created = await finishRegistration(
    ports,
    {
      subject,
      idp,
      browser,
      ceremony,
      response,
      nameOf,
      within: { kind: 'interrupted', digest: row.digest },
    },
    context,
  )
  if (created.kind === 'refused') return { kind: 'refused' }
  const { passkey, isUserVerified } = created
  const verified = factorOfPasskey({ kind: 'verified', passkey, isUserVerified })
  const factor = { ...verified, at: ports.clock.now() }
  const passed = { partial, app: null, factor, isToTrust: false, previous, knownBrowser, trustedBrowsers: [] }
  return { kind: 'enrolled', outcome: await passSecondFactor(ports, passed, context) }
}

async function findPasskeyEnrollment(ports: Ports, proof: PartialProof) {
  const found = await findEnrollment(ports, proof)
  return found?.allowsPasskey === true && isRecentlyProven(found.partial) ? found.partial : null
}
