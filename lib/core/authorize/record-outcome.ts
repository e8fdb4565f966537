/** One event per answer of the authorization endpoint. */
import type { Event } from '#lib/ports/events.ts'
import type { Ports } from '#lib/ports/ports.ts'
import { flowOf } from '#lib/protocol/flow.ts'
import type { Digest } from '#lib/protocol/ids.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'
import { shownUri } from '#lib/protocol/shown-uri.ts'
import type { AuthorizeOutcome, ShownError } from './outcome.ts'
import type { Verdict } from './verdict.ts'

type Answered = {
  readonly verdict: Verdict
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

function eventOf({ verdict, outcome, waited }: Answered): Event {
  if (outcome.kind === 'show') return shown(outcome.error)
  if (verdict.kind === 'show') return shown(verdict.error)
  const { clientId } = verdict.address
  if (verdict.kind === 'refuse') {
    const { error, checks = [] } = verdict
    return { name: 'authorize_refused', outcome: 'failure', clientId, reason: error.reason, checks }
  }
  if (verdict.step.kind !== 'issue') return paused(clientId, verdict.step, waited !== null)
  const grant =
    outcome.kind === 'respond' && outcome.grantId !== undefined ? { grantId: outcome.grantId } : {}
  return { ...issued(verdict, verdict.step, waited !== null), ...grant }
}

function shown({ code, reason = code, clientId, mismatch, checks }: ShownError): Event {
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

type Pause = Extract<Verdict, { kind: 'step' }>['step'] & { readonly kind: 'ask' | 'forward' }

function paused(clientId: string, step: Pause, resumed: boolean): Event {
  const details = { at: step.kind === 'ask' ? step.at : 'provider', resumed }
  return { name: 'authorize_paused', outcome: 'success', clientId, reason: step.reason, details }
}

function issued(
  { request, address }: Extract<Verdict, { kind: 'step' }>,
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
