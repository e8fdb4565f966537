/** The step of a user who lacks a factor that is required: it is set up in the middle of the sign-in. */
import { freshSignInSeconds, lifetimeSeconds } from '#lib/config/limits.ts'
import { assuranceOfFactors, reaches } from '#lib/core/sign-in/assurance.ts'
import { requiredAssurance } from '#lib/core/sign-in/required-assurance.ts'
import { requiresSecondFactor } from '#lib/core/sign-in/second-factor-policy.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { SignInStep, SignInToCheck } from '#lib/ports/sign-in-steps.ts'
import { secondsAfter } from '#lib/protocol/time.ts'
import { enrollPath } from '#lib/protocol/wire/local-paths.ts'
import { findPartialAt, type PartialProof, type PendingPartial } from '../partial-sign-in.ts'

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

async function hasSecondFactor(
  { secondFactors, passkeys }: Pick<Ports, 'secondFactors' | 'passkeys'>,
  subject: PendingPartial['proven']['subject'],
): Promise<boolean> {
  return (await secondFactors.findApp(subject)) !== null || (await passkeys.allOf(subject)).length > 0
}

export type Enrollment = {
  readonly partial: PendingPartial
  /** Whether an authenticator app is enough, and the user has none. */
  readonly allowsApp: boolean
}

/** Returns the interrupted sign-in that waits for a new factor; `null` if there is none. */
export async function findEnrollment(ports: Ports, proof: PartialProof): Promise<Enrollment | null> {
  const partial = await findPartialAt(ports, stepName, proof)
  if (partial === null) return null
  const { interaction, proven } = partial
  const required = interaction === null ? 'pwd' : requiredAssurance(interaction.hints)
  return { partial, allowsApp: required !== 'passkey' && (await mayAddApp(ports, proven)) }
}

/** MF-04: a user who has a passkey proves it first; otherwise the password would be enough to add a factor. */
async function mayAddApp(ports: Ports, { subject, factors }: PendingPartial['proven']): Promise<boolean> {
  if ((await ports.secondFactors.findApp(subject)) !== null) return false
  if (factors.some(({ credential }) => credential.kind === 'passkey')) return true
  return (await ports.passkeys.allOf(subject)).length === 0
}

/**
 * MF-04: whether the user has proven a factor recently. A sign-in from the beginning has just done so; a step-up may begin in an
 * old session, whose cookie must not be enough to add a factor.
 */
export function isRecentlyProven({ row, proven }: PendingPartial): boolean {
  if (proven.raises === undefined) return true
  const since = secondsAfter(row.expiresAt, -lifetimeSeconds.partialSignIn - freshSignInSeconds)
  return proven.factors.some(({ at }) => at >= since)
}
