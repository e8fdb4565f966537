/** What a user does with a pending request: resume it, cancel it, choose an account. Each step validates it again. */
import { OauthError } from '#lib/errors/oauth-error.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { BrowserHandle, PendingHandle } from '#lib/protocol/ids.ts'
import { flowOf, type RequestContext } from '#lib/protocol/request-context.ts'
import { authorizePairs } from '#lib/protocol/wire/parameters.ts'
import { type AuthorizeOutcome, answerRequest, evaluateRequest, type SignedInUser } from './authorize.ts'
import {
  findPendingRequest,
  findUnfinishedRequest,
  type OpenedRequest,
  type PendingInteraction,
  refundPendingLimit,
} from './pending.ts'
import {
  type ErrorPage,
  errorPage,
  refusalEvent,
  respondWithError,
  verifyRedirectUri,
} from './response-target.ts'

export type ResumeInput = SignedInUser & {
  readonly pending: PendingHandle | null
  readonly browser: BrowserHandle | null
  /** As `findPendingRequest` found it; left out if it was not read. */
  readonly request?: OpenedRequest | null
}

/**
 * Answers the client, or asks the user again. A request that is unknown, too old or of another browser is shown as expired, an
 * answered one as finished, both without details. A browser without a cookie gets a page about cookies.
 */
export async function resume(
  ports: Ports,
  input: ResumeInput,
  context: RequestContext,
): Promise<AuthorizeOutcome> {
  if (input.pending !== null && input.browser === null)
    return recordErrorPage(ports, errorPage('cookie_missing'), input, context)
  const { request, pending: handle, browser: _, ...user } = input
  const pending = request === undefined ? await findPendingRequest(ports, input) : request
  if (pending === null || handle === null)
    return recordErrorPage(ports, errorPage('request_expired'), input, context)
  if (pending.finishedAt !== null || pending.expiresAt <= ports.clock.now()) {
    const isFinished = pending.finishedAt !== null
    const about = { request: pending, isSignedIn: isFinished && input.session !== null }
    const page = await withContinuation(
      ports,
      errorPage(isFinished ? 'request_finished' : 'request_expired'),
      about,
    )
    return recordErrorPage(ports, page, input, context)
  }
  const { digest, parameters } = pending
  const stored = { kind: 'pending', digest, handle } as const
  const outcome = await answerRequest(ports, { parameters, user, pending }, stored, context)
  if (outcome.kind === 'respond' && outcome.grantId !== undefined) await refundPendingLimit(ports, context)
  return outcome
}

/** Answers `access_denied` (RFC 6749 4.1.2.1) and ends the request, whether or not a user is signed in. */
export async function cancelRequest(
  ports: Ports,
  input: Omit<ResumeInput, 'session'>,
  context: RequestContext,
): Promise<AuthorizeOutcome> {
  const pending = await findPendingRequest(ports, input)
  if (pending === null || pending.expiresAt <= ports.clock.now())
    return recordErrorPage(ports, errorPage('request_expired'), input, context)
  const verified = await verifyRedirectUri(ports, pending.parameters)
  if (verified.kind === 'unverified')
    return recordErrorPage(ports, { kind: 'error_page', error: verified.error }, input, context)
  if (!(await ports.pendingRequests.finish(pending.digest, ports.clock.now())))
    return recordErrorPage(ports, errorPage('request_finished'), input, context)
  const error = new OauthError('cancelled')
  const event = refusalEvent({ reason: error.reason, clientId: verified.target.clientId })
  ports.events.record({ ...event, flow: flowOf(pending.digest) }, context)
  return respondWithError(ports, verified.target, error)
}

/** The page shows a request ID, so an event with that ID must exist; the pending handle names the sign-in. */
function recordErrorPage(
  ports: Ports,
  outcome: ErrorPage,
  { pending }: { readonly pending: PendingHandle | null },
  context: RequestContext,
): ErrorPage {
  const flow = pending === null ? {} : { flow: flowOf(ports.hashing.tokenDigest(pending)) }
  ports.events.record({ ...refusalEvent(outcome.error), ...flow }, context)
  return outcome
}

/**
 * The same page with the client's name and a link to continue. `request` is bound to this browser. A client whose
 * registration or redirect URI was removed is not named.
 */
export async function withContinuation(
  ports: Ports,
  { error }: ErrorPage,
  { request, isSignedIn }: { readonly request: OpenedRequest; readonly isSignedIn: boolean },
): Promise<ErrorPage> {
  const { parameters } = request
  const verified = await verifyRedirectUri(ports, parameters)
  if (verified.kind === 'unverified') return { kind: 'error_page', error }
  const { clientId, clientName, clientUri } = verified.client
  const continuation = { home: clientUri, restart: authorizePairs(parameters), isSignedIn }
  return { kind: 'error_page', error: { ...error, clientId, clientName, continuation } }
}

/** Whether the signed-in user can continue a pending request, as after a sign-in in another tab. Changes nothing. */
export async function isSignedInFor(
  ports: Ports,
  { stored }: PendingInteraction,
  user: SignedInUser,
): Promise<boolean> {
  if (user.session === null) return false
  const evaluation = await evaluateRequest(ports, { parameters: stored.parameters, user, pending: stored })
  if (evaluation.kind !== 'decided') return false
  const { decision } = evaluation
  return decision.kind === 'issue' || (decision.kind === 'interact' && decision.at === 'consent')
}

/**
 * Records that the user continues with the current account. For another account there is nothing to record:
 * a sign-in that is newer than the request counts as the choice.
 */
export async function chooseAccount(
  ports: Ports,
  { session, choice, ...carried }: ResumeInput & { readonly choice: 'current' | 'other' },
): Promise<'resume' | 'sign_in' | 'expired'> {
  const pending = await findUnfinishedRequest(ports, carried)
  if (pending === null) return 'expired'
  if (session === null || choice === 'other') return 'sign_in'
  await ports.pendingRequests.recordChoice(pending.digest, session.subject)
  return 'resume'
}
