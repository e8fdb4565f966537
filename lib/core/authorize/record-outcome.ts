/** One event per answer of the authorization endpoint. */
import type { Event } from '#lib/ports/events.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'
import type { AuthorizeOutcome, ShownError } from './outcome.ts'
import type { Verdict } from './verdict.ts'

type Answered = { readonly verdict: Verdict; readonly outcome: AuthorizeOutcome }

export function recordOutcome(ports: Ports, answered: Answered, context: RequestContext): void {
  ports.events.record(eventOf(answered), context)
}

function eventOf({ verdict, outcome }: Answered): Event {
  if (outcome.kind === 'show') return shown(outcome.error)
  if (verdict.kind === 'show') return shown(verdict.error)
  const { clientId } = verdict.address
  if (verdict.kind === 'refuse') {
    return { name: 'authorize_refused', outcome: 'failure', clientId, reason: verdict.error.reason }
  }
  return verdict.step.kind === 'issue' ? issued(verdict, verdict.step) : paused(clientId, verdict.step.reason)
}

function shown({ code, clientId, mismatch }: ShownError): Event {
  return {
    name: 'authorize_refused',
    outcome: 'failure',
    reason: code,
    ...(clientId === undefined ? {} : { clientId }),
    ...(mismatch === undefined ? {} : { details: { redirectUri: withoutQuery(mismatch.sent) } }),
  }
}

/** A query may hold what is nobody's business (FW-09). */
function withoutQuery(uri: string): string {
  return uri.replace(/[?#].*$/s, '')
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
