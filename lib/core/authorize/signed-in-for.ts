import type { Ports } from '#lib/ports/ports.ts'
import type { Session } from '#lib/ports/sessions.ts'
import type { BrowserHandle, PendingHandle } from '#lib/protocol/ids.ts'
import { findLivePending } from './pending.ts'
import { judge } from './verdict.ts'

type Asked = {
  readonly pending: PendingHandle | null
  readonly browser: BrowserHandle | null
  readonly session: Session | null
}

/** Whether a waiting request asks no sign-in of who is signed in, as after one in another tab. Changes nothing. */
export async function isSignedInFor(ports: Ports, { session, ...carried }: Asked): Promise<boolean> {
  if (session === null) return false
  const pending = await findLivePending(ports, carried)
  if (pending === null) return false
  const verdict = await judge(ports, { parameters: pending.parameters, session, pending })
  if (verdict.kind !== 'step') return false
  return verdict.step.kind === 'issue' || (verdict.step.kind === 'ask' && verdict.step.at === 'consent')
}
