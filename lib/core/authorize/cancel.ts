/** The user cancels on one of our pages: the client receives `access_denied`. */
import { OauthError } from '#lib/errors/oauth-error.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { BrowserHandle, PendingHandle } from '#lib/protocol/ids.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'
import { findPendingRequest } from './pending.ts'
import { recordOutcome } from './record-outcome.ts'
import { type AuthorizeOutcome, respondWithError } from './respond.ts'
import { proveReturnAddress } from './return-address.ts'
import { showExpired, showFinished, showSpent } from './spent-request.ts'

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
