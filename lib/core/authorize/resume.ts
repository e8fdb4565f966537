/** Resumes a pending request after the user acted. Proven, validated and decided again. */
import { OauthError } from '#lib/errors/oauth-error.ts'
import type { ErrorReason } from '#lib/errors/reasons.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { Session } from '#lib/ports/sessions.ts'
import type { BrowserHandle, Digest, PendingHandle } from '#lib/protocol/ids.ts'
import { flowOf, type RequestContext } from '#lib/protocol/request-context.ts'
import { evaluateRequest, withRetryOnRevocation } from './authorize.ts'
import { issueResponse } from './issue.ts'
import { type AuthorizeOutcome, type Evaluation, recordOutcome, respondWithError } from './outcome.ts'
import { findLivePending, findPendingRequest, uncountWaiting, type WaitingRequest } from './pending.ts'
import { proveReturnAddress } from './return-address.ts'

export type ResumeInput = {
  readonly pending: PendingHandle | null
  readonly browser: BrowserHandle | null
  readonly session: Session | null
}

/**
 * Answers the client, or pauses again. A request that is unknown, too old or another browser's is shown as expired,
 * one that was answered as finished; neither says anything about it. A browser without a cookie gets a page about cookies.
 */
export async function resume(
  ports: Ports,
  input: ResumeInput,
  context: RequestContext,
): Promise<AuthorizeOutcome> {
  if (input.pending !== null && input.browser === null)
    return showSpent(ports, showCookieless, input, context)
  const pending = await findPendingRequest(ports, input)
  if (pending === null || input.pending === null) return showSpent(ports, showExpired, input, context)
  if (pending.finishedAt !== null || pending.expiresAt <= ports.clock.now()) {
    const isFinished = pending.finishedAt !== null
    const about = { request: pending, isSignedIn: isFinished && input.session !== null }
    const shown = await withWayOn(ports, isFinished ? showFinished : showExpired, about)
    return showSpent(ports, shown, input, context)
  }
  const waiting = { digest: pending.digest, handle: input.pending }
  const answered = await withRetryOnRevocation(ports, input.session, async session => {
    const { parameters } = pending
    const evaluation = await evaluateRequest(ports, { parameters, session, pending })
    const outcome = await act(ports, evaluation, waiting)
    return outcome && { evaluation, outcome }
  })
  recordOutcome(ports, { ...answered, waited: pending.digest }, context)
  const { outcome } = answered
  if (outcome.kind === 'respond' && outcome.grantId !== undefined) await uncountWaiting(ports, context)
  return outcome
}

/** `null`: what the decision rested on was revoked before anything was written. */
async function act(
  ports: Ports,
  evaluation: Evaluation,
  { digest, handle }: Waiting,
): Promise<AuthorizeOutcome | null> {
  if (evaluation.kind === 'show') return evaluation
  if (evaluation.kind === 'refuse') {
    const isFirst = await finish(ports, digest)
    return isFirst ? respondWithError(ports, evaluation.address, evaluation.error) : showFinished
  }
  const { decision } = evaluation
  if (decision.kind === 'forward') return { kind: 'forward', scheme: decision.scheme, pending: handle }
  if (decision.kind === 'ask') return { kind: 'pause', at: decision.at, pending: handle }
  // Finished together with the grant and before a token is made: after a revocation the request is still pending
  const basis = { consent: decision.consent, pending: digest }
  const outcome = await issueResponse(ports, { ...evaluation, ...decision, basis })
  if (outcome === 'withdrawn') return null
  return outcome === 'finished' ? showFinished : outcome
}

type Waiting = { readonly digest: Digest; readonly handle: PendingHandle }

/** Of two tabs only one may answer the client. */
function finish(ports: Ports, digest: Digest): Promise<boolean> {
  return ports.pendingRequests.finish(digest, ports.clock.now())
}

export type CancelInput = {
  readonly pending: PendingHandle | null
  readonly browser: BrowserHandle | null
}

/** Answers `access_denied` (RFC 6749 4.1.2.1) and ends the request. Nobody has to be signed in for it. */
export async function cancelRequest(
  ports: Ports,
  input: CancelInput,
  context: RequestContext,
): Promise<AuthorizeOutcome> {
  const pending = await findPendingRequest(ports, input)
  if (pending === null || pending.expiresAt <= ports.clock.now())
    return showSpent(ports, showExpired, input, context)
  const proof = await proveReturnAddress(ports, pending.parameters)
  if (proof.kind === 'unproven') return showSpent(ports, { kind: 'show', error: proof.error }, input, context)
  if (!(await ports.pendingRequests.finish(pending.digest, ports.clock.now())))
    return showSpent(ports, showFinished, input, context)
  const error = new OauthError('cancelled')
  const outcome = respondWithError(ports, proof.address, error)
  const evaluation = { kind: 'refuse', address: proof.address, error } as const
  recordOutcome(ports, { evaluation, outcome, waited: pending.digest }, context)
  return outcome
}

type Shown = Extract<AuthorizeOutcome, { kind: 'show' }>

/** The page carries a reference, so there is an event under it; of whose sign-in, the handle says. */
export function showSpent(
  ports: Ports,
  outcome: Shown,
  { pending }: { readonly pending: PendingHandle | null },
  context: RequestContext,
): Shown {
  const { reason, clientId } = outcome.error
  const flow = pending === null ? {} : { flow: flowOf(ports.hashing.digest(pending)) }
  const client = clientId === undefined ? {} : { clientId }
  ports.events.record({ name: 'authorize_refused', outcome: 'failure', reason, ...client, ...flow }, context)
  return outcome
}

/**
 * The same page with the app's name and the way on. `request` is bound to this browser. A client that is no longer
 * registered, or not with this redirect URI, is not named.
 */
export async function withWayOn(
  ports: Ports,
  { error }: Shown,
  { request, isSignedIn }: { readonly request: WaitingRequest; readonly isSignedIn: boolean },
): Promise<Shown> {
  const { parameters } = request
  const proof = await proveReturnAddress(ports, parameters)
  if (proof.kind === 'unproven') return { kind: 'show', error }
  const { clientId, clientName, clientUri } = proof.client
  const wayOn = { home: clientUri, restart: parameters, isSignedIn }
  return { kind: 'show', error: { ...error, clientId, clientName, wayOn } }
}

export const showExpired = shown('request_expired')

/** UXC-08: what binds the request to a browser never came back from this one. */
export const showCookieless = shown('cookie_missing')

export const showFinished = shown('request_finished')

function shown(reason: ErrorReason): Shown {
  return { kind: 'show', error: { reason, clientName: null } }
}

type Asked = {
  readonly pending: PendingHandle | null
  readonly browser: BrowserHandle | null
  readonly session: Session | null
}

/** Whether a pending request needs no sign-in of the user who is signed in, as after one in another tab. Changes nothing. */
export async function isSignedInFor(ports: Ports, { session, ...carried }: Asked): Promise<boolean> {
  if (session === null) return false
  const pending = await findLivePending(ports, carried)
  if (pending === null) return false
  const evaluation = await evaluateRequest(ports, { parameters: pending.parameters, session, pending })
  if (evaluation.kind !== 'decided') return false
  const { decision } = evaluation
  return decision.kind === 'issue' || (decision.kind === 'ask' && decision.at === 'consent')
}

export type AccountChoice = {
  readonly pending: PendingHandle | null
  readonly browser: BrowserHandle | null
  readonly session: Session | null
  readonly choice: 'current' | 'other'
}

/**
 * Records that the person goes on as who they are. For another account there is nothing to record:
 * a sign-in that is newer than the request counts as the choice.
 */
export async function chooseAccount(
  ports: Ports,
  { session, choice, ...carried }: AccountChoice,
  _context: RequestContext,
): Promise<'resume' | 'sign_in' | 'expired'> {
  const pending = await findLivePending(ports, carried)
  if (pending === null) return 'expired'
  if (session === null || choice === 'other') return 'sign_in'
  await ports.pendingRequests.recordChoice(pending.digest, session.subject)
  return 'resume'
}
