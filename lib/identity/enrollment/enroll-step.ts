/** The step of a user who lacks a factor that is required: it is set up in the middle of the sign-in. */
import { freshSignInSeconds, lifetimeSeconds } from '#lib/config/limits.ts'
import { assuranceOfFactors, reaches } from '#lib/core/sign-in/assurance.ts'
import { acceptedName } from '#lib/core/sign-in/proven-sign-in.ts'
import { requiredAssurance } from '#lib/core/sign-in/required-assurance.ts'
import { requiresSecondFactor } from '#lib/core/sign-in/second-factor-policy.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { Credential, ProvenSignIn, SignInStep, SignInToCheck } from '#lib/ports/sign-in-steps.ts'
import type { SubjectId } from '#lib/protocol/ids.ts'
import { secondsAfter } from '#lib/protocol/time.ts'
import { enrollPath } from '#lib/protocol/wire/local-paths.ts'
import { hintsOf } from '../interaction.ts'
import { findPartialAt, type PartialProof, type PendingPartial } from '../partial-sign-in.ts'
import { usablePasskeys } from '../passkeys/usable-passkeys.ts'

const stepName = 'enroll'

/**
 * The step after that of the second factor, which has asked for the factors that the user has. A level that the client or the
 * request requires must be reached; the policy of the site only requires that the user has a second factor, because a trusted
 * browser may skip the question.
 */
export const enrollStep: SignInStep<Ports> = {
  name: stepName,
  reason: 'second_factor_missing',
  path: enrollPath,
  applies: mustEnroll,
}

async function mustEnroll(ports: Ports, signIn: SignInToCheck): Promise<boolean> {
  const { factors, subject, confirms } = signIn.proven
  const level = assuranceOfFactors(factors)
  if (!reaches(level, requiredAssurance(signIn.hints))) return true
  if (level !== 'pwd' || confirms !== undefined) return false
  return (await requiresSecondFactor(ports, signIn)) && !(await hasSecondFactor(ports, subject))
}

async function hasSecondFactor(ports: Ports, subject: SubjectId): Promise<boolean> {
  const { secondFactors } = ports
  return (await secondFactors.findApp(subject)) !== null || (await usablePasskeys(ports, subject)).length > 0
}

function hasProven({ factors }: ProvenSignIn, kinds: readonly Credential['kind'][]): boolean {
  return factors.some(({ credential }) => kinds.includes(credential.kind))
}

export type Enrollment = {
  readonly partial: PendingPartial
  /** Whether a passkey can be created. */
  readonly allowsPasskey: boolean
  /** Whether an authenticator app is enough, and the user has none. */
  readonly allowsApp: boolean
}

/** Returns the interrupted sign-in that waits for a new factor; `null` if there is none. */
export async function findEnrollment(ports: Ports, proof: PartialProof): Promise<Enrollment | null> {
  const partial = await findPartialAt(ports, stepName, proof)
  if (partial === null) return null
  const { interaction, proven } = partial
  const required = requiredAssurance(hintsOf(interaction))
  const { subject } = proven
  const [app, passkeys] = await Promise.all([
    ports.secondFactors.findApp(subject),
    usablePasskeys(ports, subject),
  ])
  // MF-04: otherwise a stolen password would be enough to add a factor in addition to those that protect the account
  const isEachProven =
    (app === null || hasProven(proven, ['totp', 'recovery_code'])) &&
    (passkeys.length === 0 || hasProven(proven, ['passkey']))
  return {
    partial,
    allowsApp: isEachProven && required !== 'passkey' && app === null,
    allowsPasskey: isEachProven && ports.settings.relyingParty.kind === 'on',
  }
}

/** Returns the display name of the user; the step follows the decision of the user service. */
export function nameOfUser(proven: ProvenSignIn): string {
  return acceptedName(proven) ?? proven.subject
}

/**
 * MF-04: whether the user has proven a factor recently. A sign-in from the beginning has just done so; a step-up may begin in an
 * old session, whose cookie must not be enough to add a factor.
 */
export function isRecentlyProven({ row, proven }: PendingPartial): boolean {
  if (proven.raises === undefined) return true
  // The sign-in was interrupted `partialSignIn` seconds before its end
  const since = secondsAfter(row.expiresAt, -lifetimeSeconds.partialSignIn - freshSignInSeconds)
  return proven.factors.some(({ at }) => at >= since)
}
