/** One event per answer of the authorization endpoint. */
import type { Event } from '#lib/ports/events.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'
import type { AuthorizeOutcome } from './outcome.ts'
import type { Verdict } from './verdict.ts'

type Answered = { readonly verdict: Verdict; readonly outcome: AuthorizeOutcome }

export function recordOutcome(ports: Ports, answered: Answered, context: RequestContext): void {
  ports.events.record(eventOf(answered), context)
}

function eventOf({ verdict, outcome }: Answered): Event {
  if (outcome.kind === 'show') {
    return { name: 'authorize_refused', outcome: 'failure', reason: outcome.error.code }
  }
  if (verdict.kind === 'show')
    return { name: 'authorize_refused', outcome: 'failure', reason: verdict.error.code }
  const { clientId } = verdict.address
  if (verdict.kind === 'refuse') {
    return { name: 'authorize_refused', outcome: 'failure', clientId, reason: verdict.error.reason }
  }
  return verdict.step.kind === 'issue' ? issued(verdict, verdict.step) : paused(clientId, verdict.step.reason)
}

function paused(clientId: string, reason: string): Event {
  return { name: 'authorize_paused', outcome: 'success', clientId, reason }
}

function issued(
  { request, address }: Extract<Verdict, { kind: 'step' }>,
  { session, scopes }: { readonly session: { readonly subject: string }; readonly scopes: readonly string[] },
): Event {
  const details = { responseType: request.responseType, scope: scopes.join(' ') }
  return {
    name: 'authorize_answered',
    outcome: 'success',
    clientId: address.clientId,
    subject: session.subject,
    details,
  }
}
