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
import { showExpired, showFinished } from './spent-request.ts'
import { judge, type Verdict } from './verdict.ts'

export type ResumeInput = {
  readonly pending: PendingHandle | null
  readonly browser: BrowserHandle | null
  readonly session: Session | null
}

/**
 * Answers the client, or pauses again. A request that is unknown, too old or another browser's is shown as expired,
 * one that was answered as finished; neither says anything about it.
 */
export async function resume(
  ports: Ports,
  input: ResumeInput,
  context: RequestContext,
): Promise<AuthorizeOutcome> {
  const pending = await findPendingRequest(ports, input)
  if (pending === null || input.pending === null || pending.expiresAt <= ports.clock.now()) return showExpired
  if (pending.finishedAt !== null) return showFinished
  const verdict = await judge(ports, { parameters: pending.parameters, session: input.session, pending })
  const outcome = await follow(ports, verdict, { digest: pending.digest, handle: input.pending })
  recordOutcome(ports, { verdict, outcome }, context)
  return outcome
}

async function follow(
  ports: Ports,
  verdict: Verdict,
  { digest, handle }: Waiting,
): Promise<AuthorizeOutcome> {
  if (verdict.kind === 'show') return verdict
  if (verdict.kind === 'refuse') {
    return (await finish(ports, digest))
      ? respondWithError(ports, verdict.address, verdict.error)
      : showFinished
  }
  const { step } = verdict
  if (step.kind === 'forward') return { kind: 'forward', scheme: step.scheme, pending: handle }
  if (step.kind === 'ask') return { kind: 'pause', at: step.at, pending: handle }
  return (await finish(ports, digest)) ? issueResponse(ports, { ...verdict, ...step }) : showFinished
}

type Waiting = { readonly digest: Digest; readonly handle: PendingHandle }

/** Before anything is minted: of two tabs only one may answer the client. */
function finish(ports: Ports, digest: Digest): Promise<boolean> {
  return ports.pendingRequests.finish(digest, ports.clock.now())
}
