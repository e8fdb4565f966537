/** The step after a sign-in with one factor, for users with an authenticator app: they prove a second one (MF-03). */
import { assuranceOfFactors } from '#lib/core/sign-in/assurance.ts'
import { acceptedName } from '#lib/core/sign-in/proven-sign-in.ts'
import { requiredAssurance } from '#lib/core/sign-in/required-assurance.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { SignInStep, SignInToCheck, StepPassed } from '#lib/ports/sign-in-steps.ts'
import { secondFactorPath } from '#lib/protocol/wire/local-paths.ts'
import { type ShownRequest, shownRequest } from '../interaction.ts'
import { findPartialAt, type PartialProof, type PendingPartial } from '../partial-sign-in.ts'
import { usablePasskeys } from '../passkeys/usable-passkeys.ts'
import { findTrust } from './trusted-browsers.ts'

const stepName = 'second_factor'

/**
 * The step for a second factor. A trusted browser skips it, unless the request requires two factors; a passkey whose
 * authenticator verified the user counts as two.
 */
export const secondFactorStep: SignInStep<Ports> = {
  name: stepName,
  reason: 'second_factor_required',
  path: secondFactorPath,
  applies: needsSecondFactor,
}

async function needsSecondFactor(
  ports: Ports,
  { proven, hints }: SignInToCheck,
): Promise<boolean | StepPassed> {
  if (assuranceOfFactors(proven.factors) !== 'pwd') return false
  if ((await ports.secondFactors.findApp(proven.subject)) === null) return false
  if (requiredAssurance(hints) !== 'pwd') return true
  const trustedBrowser = await findTrust(ports, proven)
  return trustedBrowser === null || { kind: 'passed', trustedBrowser }
}

/** Returns the interrupted sign-in that waits for a second factor; `null` if there is none. */
export function findWaitingForFactor(ports: Ports, proof: PartialProof): Promise<PendingPartial | null> {
  return findPartialAt(ports, stepName, proof)
}

export type SecondFactorView = ShownRequest & {
  /** The display name of the user; `null` until the user service has accepted the user. */
  readonly name: string | null
  readonly hasRecoveryCodes: boolean
  readonly hasPasskeys: boolean
  /** Whether the user confirms the identity: a trusted browser does not skip this, so that trusting it is not offered. */
  readonly isConfirmation: boolean
}

/**
 * Returns the content of the page; `null` if no sign-in waits for a second factor: `completePartialSignIn` then continues
 * the sign-in, or reports that it expired.
 */
export async function secondFactorView(ports: Ports, proof: PartialProof): Promise<SecondFactorView | null> {
  const partial = await findWaitingForFactor(ports, proof)
  if (partial === null) return null
  const { interaction, proven } = partial
  const [app, recoveryCodes, passkeys] = await Promise.all([
    ports.secondFactors.findApp(proven.subject),
    ports.secondFactors.countRecoveryCodes(proven.subject),
    usablePasskeys(ports, proven.subject),
  ])
  // An administrator or the user has removed the app since then
  if (app === null) return null
  return {
    ...shownRequest(interaction),
    name: acceptedName(proven),
    hasRecoveryCodes: recoveryCodes > 0,
    hasPasskeys: passkeys.length > 0,
    isConfirmation: proven.confirms !== undefined,
  }
}
