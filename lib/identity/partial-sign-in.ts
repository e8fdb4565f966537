/** The return from a page at which the user service interrupted a sign-in. */
import type { Ports } from '#lib/ports/ports.ts'
import type { SessionHandle } from '#lib/protocol/ids.ts'
import { newPasswordPath } from '#lib/protocol/new-password-path.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'
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
 * Asks the user service again. It may let the person in, interrupt once more (with a new handle), or refuse.
 * The handle works once, and only in the browser that was interrupted. Who came with a password that was handed out
 * is led back to choosing another, whatever the user service would say.
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
  // Taken before the user service is asked: of two returns at once only one may end in a session.
  if (!(await ports.partialSignIns.take(row.digest))) return expiredPartial(ports, context)
  const authentication = await ports.userService.completePartial(row.subject, hintsOf(waiting.interaction))
  const arrival = arrivalOf(waiting, input.previous)
  return { ...(await finishSignIn(ports, authentication, arrival, context)), pending }
}
