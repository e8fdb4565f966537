/** The step of a user who has not accepted the current version of the terms of use, with any user service. */
import type { Ports } from '#lib/ports/ports.ts'
import type { SignInStep, SignInToCheck } from '#lib/ports/sign-in-steps.ts'
import type { SessionHandle } from '#lib/protocol/ids.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'
import { termsPath } from '#lib/protocol/wire/local-paths.ts'
import { eventFields } from './finish-sign-in.ts'
import { type ShownRequest, shownRequest } from './interaction.ts'
import {
  expiredPartial,
  findPartialAt,
  type PartialProof,
  type PendingPartial,
  passStep,
  signInContextOf,
} from './partial-sign-in.ts'
import type { ReturningSignInOutcome } from './sign-in-outcome.ts'

const stepName = 'terms'

/**
 * The step after the user service has accepted the user. Without terms, nothing is read. A user who confirms the identity or
 * proves another factor is signed in already.
 */
export const termsStep: SignInStep<Ports> = {
  name: stepName,
  reason: 'terms_not_accepted',
  path: termsPath,
  applies: mustAccept,
}

async function mustAccept(ports: Ports, { proven }: SignInToCheck): Promise<boolean> {
  const { subject, confirms, raises } = proven
  if (confirms !== undefined || raises !== undefined) return false
  const { terms_uri, terms_version } = await ports.policies.current()
  if (terms_uri === null) return false
  const accepted = await ports.subjectPreferences.findAcceptedTerms(subject)
  return accepted?.version !== terms_version
}

export type TermsView = ShownRequest & {
  readonly name: string
  readonly termsUri: string
  readonly version: string
  readonly isFirst: boolean
}

/**
 * Returns the content of the page; `null` if no sign-in waits for it, or there are no terms now: `completePartialSignIn`
 * then continues the sign-in.
 */
export async function termsView(ports: Ports, proof: PartialProof): Promise<TermsView | null> {
  const partial = await findPartialAt(ports, stepName, proof)
  if (partial === null) return null
  const { terms_uri: termsUri, terms_version: version } = await ports.policies.current()
  if (termsUri === null) return null
  const accepted = await ports.subjectPreferences.findAcceptedTerms(partial.proven.subject)
  if (accepted?.version === version) return null
  return {
    ...shownRequest(partial.interaction),
    name: nameOf(partial),
    termsUri,
    version,
    isFirst: accepted === null,
  }
}

function nameOf({ proven: { userService, subject } }: PendingPartial): string {
  return userService.kind === 'accepted' ? userService.name : subject
}

type Acceptance = PartialProof & {
  readonly previous: readonly SessionHandle[]
  /** The version that the page showed. */
  readonly version: string
}

/**
 * Stores that the user accepts the version that the page showed, and continues the sign-in: if another version is in force
 * now, with the same step.
 */
export async function acceptTerms(
  ports: Ports,
  { version, previous, ...proof }: Acceptance,
  context: RequestContext,
): Promise<ReturningSignInOutcome> {
  const partial = await findPartialAt(ports, stepName, proof)
  if (partial === null) return expiredPartial(ports, context)
  const { subject, idp } = partial.proven
  if (version === (await ports.policies.current()).terms_version) {
    await ports.subjectPreferences.acceptTerms(subject, { version, acceptedAt: ports.clock.now() })
    const fields = eventFields(ports, signInContextOf(partial, previous), { idp, version })
    ports.events.record({ name: 'terms_accepted', outcome: 'success', subject, ...fields }, context)
  }
  return passStep(ports, { partial, previous }, context)
}
