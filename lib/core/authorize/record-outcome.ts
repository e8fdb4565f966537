/** One event per answer of the authorization endpoint. */
import type { Event } from '#lib/ports/events.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { Digest } from '#lib/protocol/ids.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'
import { flowOf } from '#lib/protocol/request-context.ts'
import { shownUri } from '#lib/protocol/text/addresses.ts'
import type { AuthorizeOutcome, Evaluation } from './respond.ts'
import type { ShownError } from './return-address.ts'

type Answered = {
  readonly evaluation: Evaluation
  readonly outcome: AuthorizeOutcome
  /** The request that waited until now; `null` for a new one. */
  readonly waited: Digest | null
}

export function recordOutcome(ports: Ports, answered: Answered, context: RequestContext): void {
  const flow = flowFor(ports, answered)
  ports.events.record({ ...eventOf(answered), ...(flow === null ? {} : { flow }) }, context)
}

/** From the first pause on, all requests of one sign-in bear the same name. */
function flowFor({ hashing }: Ports, { outcome, waited }: Answered): string | null {
  if (waited !== null) return flowOf(waited)
  const pending = outcome.kind === 'pause' || outcome.kind === 'forward' ? outcome.pending : null
  return pending === null ? null : flowOf(hashing.digest(pending))
}

function eventOf({ evaluation, outcome, waited }: Answered): Event {
  if (outcome.kind === 'show') return shown(outcome.error)
  if (evaluation.kind === 'show') return shown(evaluation.error)
  const { clientId } = evaluation.address
  if (evaluation.kind === 'refuse') {
    const { error, checks = [] } = evaluation
    return { name: 'authorize_refused', outcome: 'failure', clientId, reason: error.reason, checks }
  }
  const { decision } = evaluation
  if (decision.kind !== 'issue') return paused(clientId, decision, waited !== null)
  const grant =
    outcome.kind === 'respond' && outcome.grantId !== undefined ? { grantId: outcome.grantId } : {}
  return { ...issued(evaluation, decision, waited !== null), ...grant }
}

function shown({ reason, clientId, mismatch, checks }: ShownError): Event {
  return {
    name: 'authorize_refused',
    outcome: 'failure',
    reason,
    ...(clientId === undefined ? {} : { clientId }),
    ...(mismatch === undefined
      ? {}
      : { details: { redirectUri: shownUri(mismatch.sent, mismatch.registered) } }),
    ...(checks === undefined ? {} : { checks }),
  }
}

type Decided = Extract<Evaluation, { kind: 'decided' }>
type Pause = Exclude<Decided['decision'], { kind: 'issue' }>

function paused(clientId: string, decision: Pause, resumed: boolean): Event {
  const details = { at: decision.kind === 'ask' ? decision.at : 'provider', resumed }
  return { name: 'authorize_paused', outcome: 'success', clientId, reason: decision.reason, details }
}

function issued(
  { request, address }: Decided,
  { session, scopes }: { readonly session: { readonly subject: string }; readonly scopes: readonly string[] },
  resumed: boolean,
): Event {
  const details = { responseType: request.responseType, scope: scopes.join(' '), resumed }
  return {
    name: 'authorize_answered',
    outcome: 'success',
    clientId: address.clientId,
    subject: session.subject,
    details,
  }
}
