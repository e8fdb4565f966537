/** Counts events in the aggregates that charts read instead of events. */
import { knownReason, reasonRow } from '#lib/errors/reasons.ts'
import {
  type Additions,
  type ClientDay,
  type HourlyCount,
  responseTimeMetric,
} from '#lib/ports/aggregates.ts'
import type { RecordedEvent } from '#lib/ports/events.ts'
import { dayNumber, hourOf } from '#lib/protocol/time.ts'
import { safeText } from './safe-text.ts'

type CountedEvent = Pick<
  RecordedEvent,
  'name' | 'time' | 'clientId' | 'subject' | 'grantType' | 'flow' | 'details'
> & { readonly reason?: string; readonly elapsedMs?: number | null }

export type Counted = { readonly metric: string; readonly label: string }

/**
 * Returns the counts that a batch adds: one row per hour, metric and label; one per client and day; and the visits of
 * users.
 */
export function additionsOf(batch: readonly CountedEvent[]): Additions {
  // Client tests of administrators are not counted in charts
  const events = batch.filter(({ details }) => details?.test === undefined)
  return {
    counts: countEvents(events),
    clients: countClients(events),
    visits: events.flatMap(event => visitOf(event)),
  }
}

function countEvents(events: readonly CountedEvent[]): readonly HourlyCount[] {
  const sums = new Map<string, { hour: Date; metric: string; label: string; count: number }>()
  for (const event of events) {
    const hour = hourOf(event.time)
    for (const { metric, label } of countsOf(event)) {
      const key = `${hour.getTime()} ${metric} ${label}`
      const sum = sums.get(key) ?? { hour, metric, label: safeText(label), count: 0 }
      sum.count += 1
      sums.set(key, sum)
    }
  }
  return [...sums.values()]
}

function countClients(events: readonly CountedEvent[]): readonly ClientDay[] {
  const sums = new Map<string, { clientId: string; day: number; tokens: number; refusals: number }>()
  for (const event of events) {
    const { clientId } = event
    const what = ofClient(event)
    if (clientId === undefined || what === null) continue
    const day = dayNumber(event.time)
    const key = `${day} ${clientId}`
    const sum = sums.get(key) ?? { clientId: safeText(clientId), day, tokens: 0, refusals: 0 }
    sum[what] += 1
    sums.set(key, sum)
  }
  return [...sums.values()]
}

/**
 * Returns the count of a client to which an event belongs, or `null`. Events with an unknown client_id are not counted,
 * so that invented IDs create no rows.
 */
export function ofClient({ name, clientId, reason }: CountedEvent): 'tokens' | 'refusals' | null {
  if (clientId === undefined || reason === 'unknown_client') return null
  switch (name) {
    case 'tokens_issued':
      return 'tokens'
    case 'authorize_refused':
    case 'token_refused':
      return isFailure(reason) ? 'refusals' : null
    case 'client_authentication_failed':
      return secretMistakes.has(reason?.split(':')[0] ?? '') ? 'refusals' : null
    default:
      return null
  }
}

/** Returns the visit that an event shows: a sign-in, or an answered authorization request. */
function visitOf({ name, subject, time }: CountedEvent): Additions['visits'] {
  const isVisit = name === 'sign_in_succeeded' || name === 'authorize_answered'
  return isVisit && subject !== undefined ? [{ subject: safeText(subject), time }] : []
}

/**
 * Returns the counts of an event. NOTE: labels come from closed lists, the configuration or the extensions, so that
 * requests cannot create arbitrary rows.
 */
export function countsOf(event: CountedEvent): readonly Counted[] {
  const { name } = event
  // The text after a colon comes from the request
  const [reason = 'unknown'] = event.reason?.split(':') ?? []
  switch (name) {
    case 'authorize_paused':
      return [...begun(event), ...(isSignInPage(event) ? [one('funnel', 'login_shown')] : [])]
    case 'authorize_answered':
      return [...begun(event), one('funnel', 'answered')]
    case 'request_refused':
    case 'authorize_refused':
    case 'token_refused':
      if (turnedBack.has(reason)) return [one('funnel', 'turned_back')]
      return isFailure(reason) ? [one('refusal', reason)] : []
    case 'sign_in_succeeded':
      return [
        one('sign_in', methodOf(event)),
        ...(event.flow === undefined ? [] : [one('funnel', 'sign_in')]),
      ]
    case 'user_registered':
      return [one('account', 'registered')]
    case 'password_mail_requested':
      return event.reason === undefined ? [one('account', 'recovery_asked')] : []
    case 'password_changed':
      return event.details?.by === 'recovery' ? [one('account', 'recovered')] : []
    case 'sign_in_failed':
    case 'external_sign_in_failed':
      return [one('sign_in_failed', reason)]
    case 'sign_in_limited':
      return [one('sign_in_failed', 'limited')]
    case 'consent_granted':
      return [one('funnel', 'consent')]
    case 'code_redeemed':
      return [one('funnel', 'code_redeemed')]
    case 'tokens_issued':
      return [one('tokens', event.grantType ?? 'unknown'), ...responseTimeOf(event)]
    case 'token_validated':
    case 'token_introspected':
      return [one('token_checks', name)]
    default:
      return []
  }
}

/** The upper limits of the classes of response times in milliseconds. */
const responseTimes = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000] as const

/** Returns the class of a response time. A time above the largest limit counts in the last class. */
function responseTimeOf({ elapsedMs }: CountedEvent): readonly Counted[] {
  if (typeof elapsedMs !== 'number') return []
  const most = responseTimes.find(end => elapsedMs <= end) ?? responseTimes.at(-1)
  return [one(responseTimeMetric, String(most))]
}

function one(metric: string, label: string): Counted {
  return { metric, label }
}

/** The reasons of refusals by the user. */
const turnedBack: ReadonlySet<string> = new Set(['cancelled', 'consent_denied'])

/** The errors for a client that used `prompt=none`, when the user would have to act. */
const silent: ReadonlySet<string> = new Set([
  'login_required',
  'interaction_required',
  'account_selection_required',
  'consent_required',
])

/**
 * Whether the reason is a failure. A refusal by the user, a refusal because of `prompt=none` and a neutral reason are
 * not.
 */
function isFailure(name: string | undefined): boolean {
  const reason = name === undefined ? null : knownReason(name)
  if (reason === null) return true
  const { error, isNeutral } = reasonRow(reason)
  return !(turnedBack.has(reason) || silent.has(error ?? '') || isNeutral === true)
}

/** The reasons of a failed authentication that only a client that is registered and enabled can have. */
const secretMistakes: ReadonlySet<string> = new Set([
  'auth_method_differs',
  'secret_missing',
  'secrets_absent',
  'secrets_expired',
  'secret_wrong',
])

/** Counts an authorization request once, however often it becomes pending. */
function begun({ details }: CountedEvent): readonly Counted[] {
  return details?.resumed === true ? [] : [one('funnel', 'authorize')]
}

function methodOf({ details }: CountedEvent): string {
  const { method, second } = details ?? {}
  if (typeof method !== 'string') return 'other'
  return typeof second === 'string' ? `${method}+${second}` : method
}

function isSignInPage({ details }: CountedEvent): boolean {
  return details?.at === 'login' || details?.at === 'providers'
}
