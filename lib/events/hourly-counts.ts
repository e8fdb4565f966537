/** What each event adds to the hourly counts, which charts read instead of events. */
import type { HourlyCount, StoredEvent } from '#lib/ports/event-log.ts'

type CountedEvent = Pick<
  StoredEvent,
  'name' | 'time' | 'clientId' | 'reason' | 'grantType' | 'flow' | 'details'
>

export type Counted = { readonly metric: string; readonly label: string }

const hourMs = 3_600_000

/** The beginning of the hour, UTC. */
export function hourOf(time: Date): Date {
  return new Date(Math.floor(time.getTime() / hourMs) * hourMs)
}

/** Sums of a batch: one row per hour, metric and label. */
export function countEvents(events: readonly CountedEvent[]): readonly HourlyCount[] {
  const sums = new Map<string, { hour: Date; metric: string; label: string; count: number }>()
  for (const event of events) {
    const hour = hourOf(event.time)
    for (const { metric, label } of countsOf(event)) {
      const key = `${hour.getTime()} ${metric} ${label}`
      const sum = sums.get(key) ?? { hour, metric, label, count: 0 }
      sum.count += 1
      sums.set(key, sum)
    }
  }
  return [...sums.values()]
}

/** NOTE: labels come from closed lists or from registered clients: nobody outside can make up new rows at will. */
export function countsOf(event: CountedEvent): readonly Counted[] {
  const { name } = event
  // Admins try clients out; charts tell what people did
  if (event.details.test !== undefined) return []
  // What follows a colon was said by somebody else
  const [reason = 'unknown'] = event.reason?.split(':') ?? []
  switch (name) {
    case 'authorize_paused':
      return [...begun(event), ...(isSignInPage(event) ? [one('funnel', 'login_shown')] : [])]
    case 'authorize_answered':
      return [...begun(event), one('funnel', 'answered')]
    case 'request_refused':
      return [one('refusal', reason)]
    case 'authorize_refused':
    case 'token_refused':
      return [one('refusal', reason), ...ofClient('client_refusals', event)]
    case 'sign_in_succeeded':
      return [one('sign_in', methodOf(event)), ...(event.flow === null ? [] : [one('funnel', 'sign_in')])]
    case 'sign_in_failed':
    case 'external_sign_in_failed':
      return [one('sign_in_failed', reason)]
    case 'sign_in_limited':
      return [one('sign_in_failed', 'limited')]
    case 'client_authentication_failed':
      return secretMistakes.has(reason) ? ofClient('client_refusals', event) : []
    case 'consent_granted':
      return [one('funnel', 'consent')]
    case 'code_redeemed':
      return [one('funnel', 'code_redeemed')]
    case 'tokens_issued':
      return [one('tokens', event.grantType ?? 'unknown'), ...ofClient('client_tokens', event)]
    case 'token_validated':
    case 'token_introspected':
      return [one('token_checks', name)]
    default:
      return []
  }
}

function one(metric: string, label: string): Counted {
  return { metric, label }
}

/** Said of registered clients alone. */
const secretMistakes: ReadonlySet<string> = new Set([
  'method_not_allowed',
  'secret_missing',
  'secrets_expired',
  'secret_wrong',
])

/** Once for each request of an app, however often it stops on its way. */
function begun({ details }: CountedEvent): readonly Counted[] {
  return details.resumed === true ? [] : [one('funnel', 'authorize')]
}

/** Only what was proven to be a client: a name that a stranger made up is no label. */
function ofClient(metric: string, { clientId, reason }: CountedEvent): readonly Counted[] {
  return clientId === null || reason === 'unknown_client' ? [] : [one(metric, clientId)]
}

function methodOf({ details }: CountedEvent): string {
  const { method } = details
  return typeof method === 'string' ? method : 'other'
}

function isSignInPage({ details }: CountedEvent): boolean {
  return details.at === 'login' || details.at === 'providers'
}
