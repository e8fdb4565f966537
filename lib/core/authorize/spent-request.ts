/** What is shown for requests that no longer wait. Neither says anything about the request. */
import type { Ports } from '#lib/ports/ports.ts'
import { flowOf } from '#lib/protocol/flow.ts'
import type { PendingHandle } from '#lib/protocol/ids.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'
import type { AuthorizeOutcome } from './respond.ts'

type Shown = Extract<AuthorizeOutcome, { kind: 'show' }>

/** The page carries a reference, so there is an event under it; of whose sign-in, the handle says. */
export function showSpent(
  ports: Ports,
  outcome: Shown,
  { pending }: { readonly pending: PendingHandle | null },
  context: RequestContext,
): Shown {
  const { code, reason = code, clientId } = outcome.error
  const flow = pending === null ? {} : { flow: flowOf(ports.hashing.digest(pending)) }
  const client = clientId === undefined ? {} : { clientId }
  ports.events.record({ name: 'authorize_refused', outcome: 'failure', reason, ...client, ...flow }, context)
  return outcome
}

export const showExpired: Shown = {
  kind: 'show',
  error: {
    code: 'request_expired',
    description: 'This sign-in took too long or began elsewhere.',
    clientName: null,
  },
}

/** UXC-08: what binds the request to a browser never came back from this one. */
export const showCookieless: Shown = {
  kind: 'show',
  error: { code: 'cookie_missing', description: 'The browser sent no cookie.', clientName: null },
}

export const showFinished: Shown = {
  kind: 'show',
  error: { code: 'request_finished', description: 'This request was already answered.', clientName: null },
}
