/** A sign-in that a step interrupted. Only the interrupted browser can continue it, once and before it expires. */
import { findInteraction, type PendingInteraction } from '#lib/core/authorize/pending.ts'
import { passwordHashDigest } from '#lib/core/sign-in/account-check.ts'
import { passwordHashOf } from '#lib/core/sign-in/proven-sign-in.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { PartialDetails, PartialSignIn } from '#lib/ports/sessions.ts'
import type { Factor, ProvenSignIn } from '#lib/ports/sign-in-steps.ts'
import type { BrowserHandle, Handle, PendingHandle, SessionHandle } from '#lib/protocol/ids.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'
import { localProvider } from '#lib/protocol/vocabulary.ts'
import { enrollPath } from '#lib/protocol/wire/local-paths.ts'
import { continueSignIn, partialDetailsPlace, type SignInContext } from './finish-sign-in.ts'
import { hintsOf, mayOfferAfter, openPending } from './interaction.ts'
import type { ReturningSignInOutcome } from './sign-in-outcome.ts'

export type PartialReturn = PartialProof & { readonly previous: readonly SessionHandle[] }

/** Returns the outcome of an expired sign-in, and records it, because the page shows the request ID of the event. */
export function expiredPartial(ports: Ports, context: RequestContext) {
  ports.events.record({ name: 'sign_in_failed', outcome: 'failure', reason: 'request_expired' }, context)
  return { kind: 'expired', pending: null } as const
}

/**
 * Continues when the user returns to `/login/return`. A step that has a page of this server, and still applies, leads
 * back to that page: only the page can end the step. Otherwise the list of steps decides again; it can interrupt once
 * more, with a new handle.
 */
export async function completePartialSignIn(
  ports: Ports,
  input: PartialReturn,
  context: RequestContext,
): Promise<ReturningSignInOutcome> {
  const partial = await findPendingPartial(ports, input)
  if (!isProven(partial) || input.partial === null) return expiredPartial(ports, context)
  const { browser, pending } = partial
  const page = await pageOfStep(ports, partial)
  if (page !== null) return { kind: 'partial', path: page, partial: input.partial, browser, pending }
  return passStep(ports, { partial, previous: input.previous }, context)
}

async function pageOfStep(
  ports: Ports,
  { details, proven, interaction }: PendingPartial,
): Promise<string | null> {
  const step = ports.signInSteps.find(({ name }) => name === details.step)
  if (step === undefined || !('applies' in step)) return null
  const signIn = { proven, hints: hintsOf(interaction), via: 'browser' } as const
  return (await step.applies(ports, signIn)) === true ? step.path : null
}

type PassedStep = {
  readonly partial: PendingPartial
  readonly previous: readonly SessionHandle[]
  /** The facts proven now; by default those proven before. */
  readonly proven?: ProvenSignIn
}

/** Continues with the next step. Of several concurrent calls only one continues; the others get `expired`. */
export async function passStep(
  ports: Ports,
  passed: PassedStep,
  context: RequestContext,
): Promise<ReturningSignInOutcome> {
  if (!(await ports.partialSignIns.take(passed.partial.row.digest))) return expiredPartial(ports, context)
  return continueTaken(ports, passed, context)
}

/** Continues for a caller that has consumed the interrupted sign-in. */
export async function continueTaken(
  ports: Ports,
  { partial, previous, proven = partial.proven }: PassedStep,
  context: RequestContext,
): Promise<ReturningSignInOutcome> {
  const { step, path } = partial.details
  const returnedFrom = { ...proven.returnedFrom, [step]: path }
  const signIn = signInContextOf(partial, previous)
  const outcome = await continueSignIn(ports, { ...proven, returnedFrom }, signIn, context)
  return { ...outcome, pending: partial.pending }
}

/** The handles with which a browser proves that the interrupted sign-in is its own; `null`: not sent. */
export type PartialProof = {
  readonly partial: Handle<'partial'> | null
  readonly browser: BrowserHandle | null
}

export type PendingPartial = {
  readonly row: PartialSignIn
  readonly browser: BrowserHandle
  readonly pending: PendingHandle | null
  readonly interaction: PendingInteraction | null
  readonly details: Pick<PartialDetails, 'step' | 'path' | 'offer'>
  readonly proven: ProvenSignIn
}

/** An interrupted sign-in. `proven: null`: no account is proven yet. */
export type FoundPartial = Omit<PendingPartial, 'proven'> & Pick<PartialDetails, 'proven'>

function isProven(partial: FoundPartial | null): partial is PendingPartial {
  return partial !== null && partial.proven !== null
}

/**
 * Returns the interrupted sign-in that waits at the page of this step; `null` if there is none: see
 * `findPendingPartial`.
 */
export async function findPartialAt(
  ports: Ports,
  step: string,
  proof: PartialProof,
): Promise<PendingPartial | null> {
  const partial = await findPendingPartial(ports, proof)
  return isProven(partial) && partial.details.step === step ? partial : null
}

/**
 * Returns an interrupted sign-in. `null` if it expired, was completed, belongs to another browser or can no longer
 * continue (`isStillUsable`), or if its pending request has ended or is no longer valid.
 */
export async function findPendingPartial(
  ports: Ports,
  { partial, browser }: PartialProof,
): Promise<FoundPartial | null> {
  if (partial === null || browser === null) return null
  const digest = ports.hashing.digest(partial)
  const row = await ports.partialSignIns.find(digest, ports.hashing.digest(browser), ports.clock.now())
  if (row === null) return null
  const details = openDetails(ports, row)
  const { proven } = details
  if (proven !== null && !(await isStillUsable(ports, proven))) return null
  const pending = openPending(ports, row.sealedPending, `partial_sign_ins:pending:${digest}`)
  const interaction = await findInteraction(ports, pending, browser)
  if (pending !== null && interaction === null) return null
  return { row, browser, pending, interaction, details, proven }
}

/** Opens the details. Throws if the stored value cannot be opened. */
function openDetails(
  { sealing }: Pick<Ports, 'sealing'>,
  { digest, sealedDetails }: PartialSignIn,
): PartialDetails {
  const details = withOfferTimes(JSON.parse(sealing.open(sealedDetails, partialDetailsPlace(digest))))
  if (details.proven === null) return details
  const { authenticatedAt, factors, ...others } = details.proven
  const [first, ...further] = factors
  return {
    ...details,
    proven: {
      ...others,
      authenticatedAt: authenticatedAt && new Date(authenticatedAt),
      factors: [withTime(first), ...further.map(withTime)],
    },
  }
}

/** Restores the dates of an offered link, because JSON has no dates. */
function withOfferTimes(details: PartialDetails): PartialDetails {
  const { offer } = details
  if (offer === undefined) return details
  const { redeemed } = offer
  const { identity, authenticatedAt, provenAt } = redeemed
  const reportedAt = identity.authenticatedAt && new Date(identity.authenticatedAt)
  const times = { authenticatedAt: new Date(authenticatedAt), provenAt: provenAt && new Date(provenAt) }
  const restored = { ...redeemed, ...times, identity: { ...identity, authenticatedAt: reportedAt } }
  return { ...details, offer: { ...offer, redeemed: restored } }
}

/** Restores the date of a factor, because JSON has no dates. */
function withTime(factor: Factor): Factor {
  return { ...factor, at: new Date(factor.at) }
}

/**
 * SE-06: whether the sign-in can continue. It cannot if it is local and local sign-in is disabled, or if the account no
 * longer has its password: a new password ends interrupted sign-ins; this check finds one that was stored a moment
 * later.
 */
async function isStillUsable({ users, hashing, settings }: Ports, proven: ProvenSignIn): Promise<boolean> {
  if (proven.idp === localProvider && !settings.localLogin) return false
  const hash = passwordHashOf(proven)
  if (hash === null) return true
  const account = await users.findBySubject(proven.subject)
  return account !== null && passwordHashDigest(hashing, account) === hash
}

export function signInContextOf(
  { row, browser, pending, interaction, details }: FoundPartial,
  previous: SignInContext['previous'],
): SignInContext {
  const { idp, remember } = row
  // The recovery codes of a new authenticator app are shown next
  const mayOffer = details.path !== enrollPath && mayOfferAfter(interaction)
  return { idp, remember, hints: hintsOf(interaction), pending, browser, previous, mayOffer }
}
