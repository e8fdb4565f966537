/** A passkey as a further factor of a sign-in: its step, its options, and its proof. */
import { assuranceOfFactors } from '#lib/core/sign-in/assurance.ts'
import { acceptedName } from '#lib/core/sign-in/proven-sign-in.ts'
import { requiredAssurance } from '#lib/core/sign-in/required-assurance.ts'
import { requiresSecondFactor } from '#lib/core/sign-in/second-factor-policy.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { SignInStep, SignInToCheck } from '#lib/ports/sign-in-steps.ts'
import type { BrowserHandle, Handle, SessionHandle, SubjectId } from '#lib/protocol/ids.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'
import { passkeyFactorPath } from '#lib/protocol/wire/local-paths.ts'
import { hintsOf, type ShownRequest, shownRequest } from '../interaction.ts'
import {
  expiredPartial,
  findPartialAt,
  type PartialProof,
  type PendingPartial,
  signInContextOf,
} from '../partial-sign-in.ts'
import { passSecondFactor } from '../second-factor/prove-second-factor.ts'
import { findWaitingForFactor } from '../second-factor/second-factor-step.ts'
import type { ReturningSignInOutcome } from '../sign-in-outcome.ts'
import {
  type AssertionBinding,
  assertionOptions,
  factorOfPasskey,
  type SentCeremony,
  verifyWithinLimits,
} from './assertion.ts'
import { usablePasskeys } from './usable-passkeys.ts'

const stepName = 'second_factor_passkey'

/**
 * The step for a passkey, if the request requires one, or a second factor of a user without an authenticator app. It precedes
 * the step for codes, so that no code is asked for in addition.
 */
export const passkeyStep: SignInStep<Ports> = {
  name: stepName,
  reason: 'second_factor_required',
  path: passkeyFactorPath,
  applies: needsPasskey,
}

async function needsPasskey(ports: Ports, signIn: SignInToCheck): Promise<boolean> {
  if (!(await isAskedFor(ports, signIn))) return false
  return (await usablePasskeys(ports, signIn.proven.subject)).length > 0
}

async function isAskedFor(ports: Ports, signIn: SignInToCheck): Promise<boolean> {
  const { proven, hints } = signIn
  const level = assuranceOfFactors(proven.factors)
  const required = requiredAssurance(hints)
  if (level === 'passkey') return false
  if (required === 'passkey') return true
  if (proven.factors.some(({ credential }) => credential.kind === 'passkey')) return false
  if (level !== 'pwd') return false
  if (required === 'pwd' && !(await isRequiredBySite(ports, signIn))) return false
  return (await ports.secondFactors.findApp(proven.subject)) === null
}

/** A user who confirms the identity has passed the policy of the site when the session began. */
async function isRequiredBySite(ports: Ports, signIn: SignInToCheck): Promise<boolean> {
  return signIn.proven.confirms === undefined && requiresSecondFactor(ports, signIn)
}

/** Returns the interrupted sign-in to which a passkey can be added; `null` if there is none. */
async function findWaiting(ports: Ports, proof: PartialProof): Promise<Waiting | null> {
  const partial = (await findPartialAt(ports, stepName, proof)) ?? (await findWaitingForFactor(ports, proof))
  if (partial === null || proof.partial === null) return null
  const { browser, proven, interaction } = partial
  const binding = {
    purpose: 'second_factor',
    browser,
    subject: proven.subject,
    partial: proof.partial,
  } as const
  const requiresUser = requiredAssurance(hintsOf(interaction)) === 'passkey'
  return { partial, binding: { ...binding, requiresUser } }
}

type Waiting = {
  readonly partial: PendingPartial
  readonly binding: AssertionBinding & { readonly subject: SubjectId }
}

export type PasskeyFactorView = ShownRequest & {
  /** The display name of the user; `null` until the user service has accepted the user. */
  readonly name: string | null
  /** Whether a code of an authenticator app can be used instead. */
  readonly hasCode: boolean
}

/**
 * Returns the content of the page; `null` if no sign-in waits for a passkey, or the user has removed the last one:
 * `completePartialSignIn` then continues the sign-in, or reports that it expired.
 */
export async function passkeyFactorView(
  ports: Ports,
  proof: PartialProof,
): Promise<PasskeyFactorView | null> {
  const waiting = await findWaiting(ports, proof)
  if (waiting === null) return null
  const { proven, interaction, details } = waiting.partial
  if ((await usablePasskeys(ports, proven.subject)).length === 0) return null
  return {
    ...shownRequest(interaction),
    name: acceptedName(proven),
    hasCode: details.step !== stepName,
  }
}

/** Returns the options for the browser; `null` if no sign-in waits for a passkey, or the user has none. */
export async function passkeyFactorOptions(ports: Ports, proof: PartialProof) {
  const waiting = await findWaiting(ports, proof)
  if (waiting === null) return null
  const passkeys = await usablePasskeys(ports, waiting.binding.subject)
  return passkeys.length === 0 ? null : assertionOptions(ports, waiting.binding, passkeys)
}

export type PasskeyFactorInput = SentCeremony & {
  readonly partial: Handle<'partial'> | null
  readonly browser: BrowserHandle | null
  readonly previous: readonly SessionHandle[]
  readonly knownBrowser: string | null
}

/** Verifies the passkey, adds it to the factors and continues the sign-in. A refused passkey leaves the sign-in waiting. */
export async function proveByPasskey(
  ports: Ports,
  input: PasskeyFactorInput,
  context: RequestContext,
): Promise<ReturningSignInOutcome> {
  const waiting = await findWaiting(ports, input)
  if (waiting === null) return expiredPartial(ports, context)
  const { partial, binding } = waiting
  const { previous, knownBrowser } = input
  const signIn = signInContextOf(partial, previous)
  const verified = await verifyWithinLimits(ports, { sent: input, binding, signIn }, context)
  if (verified.kind === 'refused') return { ...verified, pending: partial.pending }
  const factor = { ...factorOfPasskey(verified), at: ports.clock.now() }
  const browserOfUser = { previous, knownBrowser, trustedBrowsers: [], isToTrust: false }
  return passSecondFactor(ports, { partial, app: null, factor, ...browserOfUser }, context)
}
