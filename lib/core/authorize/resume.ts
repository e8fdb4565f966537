/** Resumes a pending request after the user acted. Proven, validated and decided again. */
import type { Ports } from '#lib/ports/ports.ts'
import type { Session } from '#lib/ports/sessions.ts'
import type { BrowserHandle, Digest, PendingHandle } from '#lib/protocol/ids.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'
import { evaluateRequest } from './authorize.ts'
import { issueResponse } from './issue.ts'
import { findPendingRequest } from './pending.ts'
import { recordOutcome } from './record-outcome.ts'
import { type AuthorizeOutcome, type Evaluation, respondWithError } from './respond.ts'
import { withRetryOnRevocation } from './retry-on-revocation.ts'
import { showCookieless, showExpired, showFinished, showSpent, withWayOn } from './spent-request.ts'
import { uncountWaiting } from './waiting-limit.ts'

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
