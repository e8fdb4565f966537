/** Confirms the identity of a signed-in user with a passkey (MF-04). The session gets the passkey as a factor, and a new ID. */
import { assuranceOfSession } from '#lib/core/sign-in/assurance.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { Session } from '#lib/ports/sessions.ts'
import type { Factor } from '#lib/ports/sign-in-steps.ts'
import type { BrowserHandle, SessionHandle } from '#lib/protocol/ids.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'
import { eventFields } from '../finish-sign-in.ts'
import { hintsOf } from '../interaction.ts'
import { raiseSession } from '../raise-session.ts'
import { refused, type SignInOutcome } from '../sign-in-outcome.ts'
import { provenInSession } from '../step-up.ts'
import {
  assertionOptions,
  factorOfPasskey,
  type SentCeremony,
  type VerifiedPasskey,
  verifyWithinLimits,
} from './assertion.ts'

/** A session that a passkey with verification of the user opened needs one again: its level must not become lower. */
function confirmBinding(session: Session, browser: BrowserHandle) {
  const binding = { purpose: 'confirm', subject: session.subject, browser, partial: null } as const
  return { ...binding, requiresUser: assuranceOfSession(session) === 'passkey' }
}

/** Returns the options for the browser, with the user's passkeys; `null` if there are no passkeys at this address. */
export async function confirmOptions(
  ports: Pick<Ports, 'settings' | 'random' | 'clock' | 'sealing' | 'hashing' | 'passkeys'>,
  session: Session,
  browser: BrowserHandle,
) {
  const own = await ports.passkeys.allOf(session.subject)
  return assertionOptions(ports, confirmBinding(session, browser), own)
}

type Confirming = SentCeremony & {
  readonly session: Session
  readonly browser: BrowserHandle | null
  readonly previous: readonly SessionHandle[]
}

/** Verifies the passkey and adds it to the factors of the session. `expired`: the session has ended in the meantime. */
export async function confirmWithPasskey(
  ports: Ports,
  input: Confirming,
  context: RequestContext,
): Promise<SignInOutcome> {
  const { session, browser, previous } = input
  const { subject, idp, isPersistent: remember } = session
  if (browser === null) return refused('passkey')
  const signIn = { idp, remember, pending: null, browser, previous, hints: hintsOf(null) }
  const attempt = { sent: input, binding: confirmBinding(session, browser), signIn }
  const verified = await verifyWithinLimits(ports, attempt, context)
  if (verified.kind === 'refused') return verified
  const proven = withPasskey(ports, session, verified)
  const raised = await raiseSession(ports, { session: session.digest, proven, previous })
  if (raised.kind !== 'signed_in') return { kind: 'expired' }
  const fields = eventFields(ports, signIn, { idp, remember, method: 'passkey' })
  ports.events.record({ name: 'sign_in_succeeded', outcome: 'success', subject, ...fields }, context)
  return raised
}

/** Adds the passkey to the factors of the session, in place of an earlier use of a passkey. */
function withPasskey({ clock }: Pick<Ports, 'clock'>, session: Session, verified: VerifiedPasskey) {
  const proven = provenInSession(session)
  const used: Factor = { ...factorOfPasskey(verified), at: clock.now() }
  const [first, ...others] = proven.factors.filter(({ credential }) => credential.kind !== 'passkey')
  const factors = first === undefined ? ([used] as const) : ([first, ...others, used] as const)
  return { ...proven, factors }
}
