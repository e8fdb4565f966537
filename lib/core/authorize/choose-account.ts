/** The choice of an account for `prompt=select_account`, or for a `login_hint` of a different user. */
import type { Ports } from '#lib/ports/ports.ts'
import type { Session } from '#lib/ports/sessions.ts'
import type { BrowserHandle, PendingHandle } from '#lib/protocol/ids.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'
import { findLivePending } from './pending.ts'

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
