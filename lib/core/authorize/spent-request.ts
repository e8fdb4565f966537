/** What is shown for requests that are no longer pending. Only the browser that began one learns which app it was for. */
import type { ErrorReason } from '#lib/errors/reasons.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { PendingHandle } from '#lib/protocol/ids.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'
import { flowOf } from '#lib/protocol/request-context.ts'
import type { AuthorizeOutcome } from './respond.ts'
import { proveReturnAddress } from './return-address.ts'
import type { WaitingRequest } from './waiting-request.ts'

type Shown = Extract<AuthorizeOutcome, { kind: 'show' }>

/** The page carries a reference, so there is an event under it; of whose sign-in, the handle says. */
export function showSpent(
  ports: Ports,
  outcome: Shown,
  { pending }: { readonly pending: PendingHandle | null },
  context: RequestContext,
): Shown {
  const { reason, clientId } = outcome.error
  const flow = pending === null ? {} : { flow: flowOf(ports.hashing.digest(pending)) }
  const client = clientId === undefined ? {} : { clientId }
  ports.events.record({ name: 'authorize_refused', outcome: 'failure', reason, ...client, ...flow }, context)
  return outcome
}

/**
 * The same page with the app's name and the way on. `request` is bound to this browser. A client that is no longer
 * registered, or not with this redirect URI, is not named.
 */
export async function withWayOn(
  ports: Ports,
  { error }: Shown,
  { request, isSignedIn }: { readonly request: WaitingRequest; readonly isSignedIn: boolean },
): Promise<Shown> {
  const { parameters } = request
  const proof = await proveReturnAddress(ports, parameters)
  if (proof.kind === 'unproven') return { kind: 'show', error }
  const { clientId, clientName, clientUri } = proof.client
  const wayOn = { home: clientUri, restart: parameters, isSignedIn }
  return { kind: 'show', error: { ...error, clientId, clientName, wayOn } }
}

export const showExpired = shown('request_expired')

/** UXC-08: what binds the request to a browser never came back from this one. */
export const showCookieless = shown('cookie_missing')

export const showFinished = shown('request_finished')

function shown(reason: ErrorReason): Shown {
  return { kind: 'show', error: { reason, clientName: null } }
}
