/** What a user does with a pending request: resume it, cancel it, choose an account. Each step validates it again. */
import { OauthError } from '#lib/errors/oauth-error.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { Session } from '#lib/ports/sessions.ts'
import type { BrowserHandle, PendingHandle } from '#lib/protocol/ids.ts'
import { flowOf, type RequestContext } from '#lib/protocol/request-context.ts'
import { authorizePairs } from '#lib/protocol/wire/parameters.ts'
import { answerRequest, evaluateRequest } from './authorize.ts'
import {
  type AuthorizeOutcome,
  recordOutcome,
  respondWithError,
  showCookieless,
  showExpired,
  showFinished,
} from './outcome.ts'
import { findLivePending, findPendingRequest, type OpenedRequest, refundPendingLimit } from './pending.ts'
import { proveReturnAddress } from './return-address.ts'

export type ResumeInput = {
  readonly pending: PendingHandle | null
  readonly browser: BrowserHandle | null
  readonly session: Session | null
}

/**
 * Answers the client, or pauses again. A request that is unknown, too old or of another browser is shown as expired, an
 * answered one as finished, both without details. A browser without a cookie gets a page about cookies.
 */
export async function resume(
  ports: Ports,
  input: ResumeInput,
  context: RequestContext,
): Promise<AuthorizeOutcome> {
  if (input.pending !== null && input.browser === null)
    return showAndRecord(ports, showCookieless, input, context)
  const pending = await findPendingRequest(ports, input)
  if (pending === null || input.pending === null) return showAndRecord(ports, showExpired, input, context)
  if (pending.finishedAt !== null || pending.expiresAt <= ports.clock.now()) {
    const isFinished = pending.finishedAt !== null
    const about = { request: pending, isSignedIn: isFinished && input.session !== null }
    const shown = await withContinuation(ports, isFinished ? showFinished : showExpired, about)
    return showAndRecord(ports, shown, input, context)
  }
  const { digest, parameters } = pending
  const handle = input.pending
  // Of two tabs only one may answer the client
  const finish = () => ports.pendingRequests.finish(digest, ports.clock.now())
  const state = { digest, finish, handle: async () => handle }
  const { session } = input
  const outcome = await answerRequest(ports, { parameters, session, pending }, state, context)
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
    return showAndRecord(ports, showExpired, input, context)
  const proof = await proveReturnAddress(ports, pending.parameters)
  if (proof.kind === 'unproven')
    return showAndRecord(ports, { kind: 'show', error: proof.error }, input, context)
  if (!(await ports.pendingRequests.finish(pending.digest, ports.clock.now())))
    return showAndRecord(ports, showFinished, input, context)
  const error = new OauthError('cancelled')
  const outcome = respondWithError(ports, proof.address, error)
  const evaluation = { kind: 'refuse', address: proof.address, error } as const
  recordOutcome(ports, { evaluation, outcome, resumed: pending.digest }, context)
  return outcome
}

type Shown = Extract<AuthorizeOutcome, { kind: 'show' }>

/** The page shows a request ID, so an event with that ID must exist; the pending handle names the sign-in. */
export function showAndRecord(
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
 * The same page with the client's name and a link to continue. `request` is bound to this browser. A client whose
 * registration or redirect URI was removed is not named.
 */
export async function withContinuation(
  ports: Ports,
  { error }: Shown,
  { request, isSignedIn }: { readonly request: OpenedRequest; readonly isSignedIn: boolean },
): Promise<Shown> {
  const { parameters } = request
  const proof = await proveReturnAddress(ports, parameters)
  if (proof.kind === 'unproven') return { kind: 'show', error }
  const { clientId, clientName, clientUri } = proof.client
  const continuation = { home: clientUri, restart: authorizePairs(parameters), isSignedIn }
  return { kind: 'show', error: { ...error, clientId, clientName, continuation } }
}

/** Whether the signed-in user can continue a pending request, as after a sign-in in another tab. Changes nothing. */
export async function isSignedInFor(ports: Ports, { session, ...carried }: ResumeInput): Promise<boolean> {
  if (session === null) return false
  const pending = await findLivePending(ports, carried)
  if (pending === null) return false
  const evaluation = await evaluateRequest(ports, { parameters: pending.parameters, session, pending })
  if (evaluation.kind !== 'decided') return false
  const { decision } = evaluation
  return decision.kind === 'issue' || (decision.kind === 'ask' && decision.at === 'consent')
}

/**
 * Records that the user continues with the current account. For another account there is nothing to record:
 * a sign-in that is newer than the request counts as the choice.
 */
export async function chooseAccount(
  ports: Ports,
  { session, choice, ...carried }: ResumeInput & { readonly choice: 'current' | 'other' },
  _context: RequestContext,
): Promise<'resume' | 'sign_in' | 'expired'> {
  const pending = await findLivePending(ports, carried)
  if (pending === null) return 'expired'
  if (session === null || choice === 'other') return 'sign_in'
  await ports.pendingRequests.recordChoice(pending.digest, session.subject)
  return 'resume'
}
