import type { Ports } from '#lib/ports/ports.ts'
import type { Session } from '#lib/ports/sessions.ts'
import type { BrowserHandle, PendingHandle } from '#lib/protocol/ids.ts'
import { evaluateRequest } from './authorize.ts'
import { findLivePending } from './pending.ts'

type Asked = {
  readonly pending: PendingHandle | null
  readonly browser: BrowserHandle | null
  readonly session: Session | null
}

/** Whether a pending request needs no sign-in of the user who is signed in, as after one in another tab. Changes nothing. */
export async function isSignedInFor(ports: Ports, { session, ...carried }: Asked): Promise<boolean> {
  if (session === null) return false
  const pending = await findLivePending(ports, carried)
  if (pending === null) return false
  const evaluation = await evaluateRequest(ports, { parameters: pending.parameters, session, pending })
  if (evaluation.kind !== 'decided') return false
  const { decision } = evaluation
  return decision.kind === 'issue' || (decision.kind === 'ask' && decision.at === 'consent')
}
