/** The return from a page at which the user service interrupted a sign-in. */
import type { Ports } from '#lib/ports/ports.ts'
import type { SessionHandle } from '#lib/protocol/ids.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'
import { newPasswordPath } from '#lib/protocol/wire/local-paths.ts'
import { finishSignIn } from './finish-sign-in.ts'
import { holderOfHandedOut } from './handed-out.ts'
import { hintsOf } from './interaction.ts'
import type { ReturningSignInOutcome } from './sign-in-outcome.ts'
import { arrivalOf, findWaitingPartial, type PartialProof } from './waiting-partial.ts'

export type PartialReturn = PartialProof & { readonly previous: SessionHandle | null }

/** The page that says so carries a reference. */
export function expiredPartial(ports: Ports, context: RequestContext) {
  ports.events.record({ name: 'sign_in_failed', outcome: 'failure', reason: 'request_expired' }, context)
  return { kind: 'expired', pending: null } as const
}

/**
 * Calls the user service again. It can accept the user, interrupt once more (with a new handle), or refuse. The handle
 * works once, and only in the interrupted browser. A user with a temporary password must first choose a new one; the user
 * service is not called.
 */
export async function completePartialSignIn(
  ports: Ports,
  input: PartialReturn,
  context: RequestContext,
): Promise<ReturningSignInOutcome> {
  const waiting = await findWaitingPartial(ports, input)
  if (waiting === null || input.partial === null) return expiredPartial(ports, context)
  const { row, pending, browser } = waiting
  if ((await holderOfHandedOut(ports, row)) !== null)
    return { kind: 'partial', path: newPasswordPath, partial: input.partial, browser, pending }
  // Taken before the user service is called, so that only one of two concurrent returns creates a session.
  if (!(await ports.partialSignIns.take(row.digest))) return expiredPartial(ports, context)
  const authentication = await ports.userService.completePartial(row.subject, hintsOf(waiting.interaction))
  const arrival = arrivalOf(waiting, input.previous)
  return { ...(await finishSignIn(ports, authentication, arrival, context)), pending }
}
