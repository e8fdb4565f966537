/** The overview's figures, from hourly counts alone: as fast with a billion events as with ten. */
import type { HourlyCount } from '#lib/ports/event-log.ts'
import { secondsAfter } from '#lib/protocol/time.ts'
import type { AdminPorts } from '../admin-ports.ts'

export type Series = { readonly label: string; readonly values: readonly number[] }
export type Daily = { readonly days: readonly Date[]; readonly series: readonly Series[] }
export type Ranked = ReadonlyArray<{ readonly label: string; readonly count: number }>
/** This period beside the one before it. */
export type Compared = { readonly now: number; readonly before: number; readonly daily: readonly number[] }

export type Overview = {
  readonly signIns: Daily
  readonly failures: Daily
  readonly tokensByGrant: Ranked
  readonly topClients: Ranked
  readonly funnel: Ranked
  readonly totals: {
    readonly signIns: Compared
    readonly failures: Compared
    readonly tokens: Compared
  }
}

const daySeconds = 86_400
/** More lines than that are no picture any more. */
const mostSeries = 5
const mostRanked = 10
const metrics = ['sign_in', 'sign_in_failed', 'refusal', 'tokens', 'client_tokens', 'funnel']
const funnelSteps = ['authorize', 'login_shown', 'sign_in', 'consent', 'code_redeemed']

/** `days` whole days, today included, in UTC; and as many before them to compare with. */
export async function readOverview(
  ports: Pick<AdminPorts, 'eventLog' | 'flushEvents'>,
  { days, now }: { readonly days: number; readonly now: Date },
): Promise<Overview> {
  await ports.flushEvents()
  const today = dayOf(now)
  const from = secondsAfter(today, -(days - 1) * daySeconds)
  const counts = await ports.eventLog.counts(
    metrics,
    secondsAfter(from, -days * daySeconds),
    secondsAfter(today, daySeconds),
  )
  const range = Array.from({ length: days }, (_one, index) => secondsAfter(from, index * daySeconds))
  const current = counts.filter(({ hour }) => hour >= from)
  const before = counts.filter(({ hour }) => hour < from)
  const compared = (metric: string): Compared => ({
    now: total(current, metric),
    before: total(before, metric),
    daily: range.map(day =>
      total(
        current.filter(({ hour }) => isOn(hour, day)),
        metric,
      ),
    ),
  })
  return {
    signIns: daily(current, 'sign_in', range),
    failures: daily(
      [...current.filter(it => it.metric === 'refusal').map(asFailure), ...current],
      'sign_in_failed',
      range,
    ),
    tokensByGrant: ranked(current, 'tokens'),
    topClients: ranked(current, 'client_tokens'),
    funnel: funnelSteps.map(label => ({
      label,
      count: total(
        current.filter(it => it.label === label),
        'funnel',
      ),
    })),
    totals: {
      signIns: compared('sign_in'),
      failures: compared('sign_in_failed'),
      tokens: compared('tokens'),
    },
  }
}

function asFailure(count: HourlyCount): HourlyCount {
  return { ...count, metric: 'sign_in_failed' }
}

/** The most frequent labels each, the rest together. */
function daily(counts: readonly HourlyCount[], metric: string, days: readonly Date[]): Daily {
  const mine = counts.filter(count => count.metric === metric)
  const labels = ranked(counts, metric).map(({ label }) => label)
  const shown = labels.length <= mostSeries ? labels : labels.slice(0, mostSeries - 1)
  const series = shown.map(label => ({
    label,
    values: valuesOf(
      mine.filter(it => it.label === label),
      days,
    ),
  }))
  const others = mine.filter(it => !shown.includes(it.label))
  return {
    days,
    series: others.length === 0 ? series : [...series, { label: 'others', values: valuesOf(others, days) }],
  }
}

function valuesOf(counts: readonly HourlyCount[], days: readonly Date[]): readonly number[] {
  return days.map(day => sum(counts.filter(({ hour }) => isOn(hour, day))))
}

function ranked(counts: readonly HourlyCount[], metric: string): Ranked {
  const sums = new Map<string, number>()
  for (const it of counts) if (it.metric === metric) sums.set(it.label, (sums.get(it.label) ?? 0) + it.count)
  return [...sums]
    .map(([label, count]) => ({ label, count }))
    .toSorted((left, right) => right.count - left.count)
    .slice(0, mostRanked)
}

function total(counts: readonly HourlyCount[], metric: string): number {
  return sum(counts.filter(count => count.metric === metric))
}

function sum(counts: readonly HourlyCount[]): number {
  return counts.reduce((total_, { count }) => total_ + count, 0)
}

function isOn(hour: Date, day: Date): boolean {
  return dayOf(hour).getTime() === day.getTime()
}

function dayOf(time: Date): Date {
  return new Date(Math.floor(time.getTime() / 86_400_000) * 86_400_000)
}
