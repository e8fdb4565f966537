/** Goes on with a request after the person did something for it. Proven, validated and decided anew. */
import type { Ports } from '#lib/ports/ports.ts'
import type { Session } from '#lib/ports/sessions.ts'
import type { BrowserHandle, Digest, PendingHandle } from '#lib/protocol/ids.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'
import { issueResponse } from './issue.ts'
import type { AuthorizeOutcome } from './outcome.ts'
import { findPendingRequest } from './pending.ts'
import { recordOutcome } from './record-outcome.ts'
import { respondWithError } from './respond.ts'
import { settle } from './settle.ts'
import { showCookieless, showExpired, showFinished, showSpent } from './spent-request.ts'
import type { Verdict } from './verdict.ts'
import { uncountWaiting } from './waiting-limit.ts'

export type ResumeInput = {
  readonly pending: PendingHandle | null
  readonly browser: BrowserHandle | null
  readonly session: Session | null
}

/**
 * Answers the client, or pauses again. A request that is unknown, too old or another browser's is shown as expired,
 * one that was answered as finished; neither says anything about it. A browser without a cookie is told of cookies.
 */
export async function resume(
  ports: Ports,
  input: ResumeInput,
  context: RequestContext,
): Promise<AuthorizeOutcome> {
  if (input.pending !== null && input.browser === null)
    return showSpent(ports, showCookieless, input, context)
  const pending = await findPendingRequest(ports, input)
  if (pending === null || input.pending === null || pending.expiresAt <= ports.clock.now())
    return showSpent(ports, showExpired, input, context)
  if (pending.finishedAt !== null) return showSpent(ports, showFinished, input, context)
  const waiting = { digest: pending.digest, handle: input.pending }
  const asked = { parameters: pending.parameters, session: input.session, pending }
  const settled = await settle(ports, asked, verdict => follow(ports, verdict, waiting))
  recordOutcome(ports, { ...settled, waited: pending.digest }, context)
  const { outcome } = settled
  if (outcome.kind === 'respond' && outcome.grantId !== undefined) await uncountWaiting(ports, context)
  return outcome
}

async function follow(
  ports: Ports,
  verdict: Verdict,
  { digest, handle }: Waiting,
): Promise<AuthorizeOutcome | 'withdrawn'> {
  if (verdict.kind === 'show') return verdict
  if (verdict.kind === 'refuse') {
    return (await finish(ports, digest))
      ? respondWithError(ports, verdict.address, verdict.error)
      : showFinished
  }
  const { step } = verdict
  if (step.kind === 'forward') return { kind: 'forward', scheme: step.scheme, pending: handle }
  if (step.kind === 'ask') return { kind: 'pause', at: step.at, pending: handle }
  // Finished together with the grant and before anything is minted: what is withdrawn now still waits
  const basis = { consent: step.consent, pending: digest }
  const outcome = await issueResponse(ports, { ...verdict, ...step, basis })
  return outcome === 'finished' ? showFinished : outcome
}

type Waiting = { readonly digest: Digest; readonly handle: PendingHandle }

/** Of two tabs only one may answer the client. */
function finish(ports: Ports, digest: Digest): Promise<boolean> {
  return ports.pendingRequests.finish(digest, ports.clock.now())
}
