/** Reads the aggregates of a period and of the previous one, by day or by hour, and adds them up. */
import type { Active, Aggregates, BusyClient, HourlyCount } from '#lib/ports/aggregates.ts'
import { findRegistration } from '#lib/ports/clients.ts'
import { startOfDay } from '#lib/protocol/time.ts'
import type { AdminPorts } from '../admin-ports.ts'
import type { Period } from './period.ts'

export type CountedRow = {
  readonly bucket: number
  readonly metric: string
  readonly label: string
  readonly count: number
}

export type CountedRows = { readonly current: readonly CountedRow[]; readonly before: readonly CountedRow[] }

/** `visitMetric` counts the first visit of a user on each day, `userMetric` each user once per period. */
export const visitMetric = 'visits'
export const userMetric = 'users'

/** Reads the current period by label, and the previous one only by metric; visits of both by label. */
export function readRows(
  aggregates: Aggregates,
  period: Period,
  metrics: readonly string[],
): Promise<CountedRows> {
  return period.unit === 'hour'
    ? readHours(aggregates, period, metrics)
    : readDays(aggregates, period, metrics)
}

async function readHours(aggregates: Aggregates, period: Period, metrics: readonly string[]) {
  const { last, beforeUntil } = period
  const today = { from: startOfDay(last), until: startOfDay(last + 1) }
  const yesterday = { from: startOfDay(last - 1), until: beforeUntil }
  const [current, before, active, activeBefore] = await Promise.all([
    aggregates.hours({ metrics, ...today, by: 'label' }),
    aggregates.hours({ metrics, ...yesterday, by: 'metric' }),
    aggregates.activeHours(today, 0),
    aggregates.activeHours(yesterday, 0),
  ])
  return {
    current: [...current.map(hourRow), ...active.flatMap(row => activeRows(row, row.hour.getUTCHours()))],
    before: [...before.map(hourRow), ...activeBefore.flatMap(row => activeRows(row, row.hour.getUTCHours()))],
  }
}

/** Reads whole days. The previous period ends with the current hour of its last day: later counts are subtracted. */
async function readDays(aggregates: Aggregates, period: Period, metrics: readonly string[]) {
  const { first, last, days, beforeUntil } = period
  const before = { first: first - days, last: first - 1 }
  const surplus = { from: beforeUntil, until: startOfDay(first) }
  const [current, earlier, later, active, activeEarlier, activeLater] = await Promise.all([
    aggregates.days({ metrics, first, last, by: 'label' }),
    aggregates.days({ metrics, ...before, by: 'metric' }),
    aggregates.hours({ metrics, ...surplus, by: 'metric' }),
    aggregates.activeDays({ first, last }),
    aggregates.activeDays(before),
    aggregates.activeHours(surplus, days - 1),
  ])
  const subtracted = [...later.map(hourRow), ...activeLater.flatMap(row => activeRows(row, 0))]
  return {
    current: [
      ...current.map(row => ({ ...row, bucket: row.day - first })),
      ...active.flatMap(row => activeRows(row, row.day - first)),
    ],
    before: [
      ...earlier.map(row => ({ ...row, bucket: row.day - before.first })),
      ...activeEarlier.flatMap(row => activeRows(row, row.day - before.first)),
      ...subtracted.map(row => ({ ...row, bucket: days - 1, count: -row.count })),
    ],
  }
}

function hourRow({ hour, metric, label, count }: HourlyCount): CountedRow {
  return { metric, label, count, bucket: hour.getUTCHours() }
}

function activeRows({ visits, fresh, users }: Active, bucket: number): readonly CountedRow[] {
  return [
    { bucket, metric: visitMetric, label: 'returning', count: visits - fresh },
    { bucket, metric: visitMetric, label: 'new', count: fresh },
    { bucket, metric: userMetric, label: '', count: users },
  ]
}

/** A client with its numbers of tokens and refusals. `name` is `null` for a deleted client. */
export type RankedClient = BusyClient & { readonly name: string | null }

/** The clients with the most tokens or refusals, the busiest first. */
export async function busiestClients(
  ports: Pick<AdminPorts, 'aggregates' | 'clients'>,
  { first, last }: Pick<Period, 'first' | 'last'>,
  { by, limit }: { readonly by: 'tokens' | 'refusals'; readonly limit: number },
): Promise<readonly RankedClient[]> {
  const found = await ports.aggregates.busiestClients({ first, last }, by, limit)
  return Promise.all(
    found.map(async client => {
      const registered = await findRegistration(ports, client.clientId)
      return { ...client, name: registered?.client.clientName ?? null }
    }),
  )
}

export type Ranked = ReadonlyArray<{ readonly label: string; readonly count: number }>
/** One layer of a chart: a value for each bucket. */
export type Series = { readonly label: string; readonly total: number; readonly values: readonly number[] }

/** The largest number of layers that a chart can show readably. */
const mostSeries = 5
/** The label of the layer that adds up the rest. */
export const others = 'others'

export function total(rows: readonly CountedRow[]): number {
  return rows.reduce((sum, { count }) => sum + count, 0)
}

/** The sum of each bucket, in order. */
export function valuesOf(rows: readonly CountedRow[], buckets: number): readonly number[] {
  const values = Array.from({ length: buckets }, () => 0)
  for (const { bucket, count } of rows) values[bucket] = (values[bucket] ?? 0) + count
  return values
}

/** The labels by frequency, the most frequent first. */
export function ranked(rows: readonly CountedRow[]): Ranked {
  const sums = new Map<string, number>()
  for (const { label, count } of rows) sums.set(label, (sums.get(label) ?? 0) + count)
  return [...sums]
    .map(([label, count]) => ({ label, count }))
    .toSorted((left, right) => right.count - left.count || (left.label < right.label ? -1 : 1))
}

/** One series for each label; if there are more than `mostSeries`, for the most frequent ones, and one for the rest. */
export function seriesOf(rows: readonly CountedRow[], buckets: number): readonly Series[] {
  const labels = ranked(rows).map(({ label }) => label)
  const shown = new Set(labels.length <= mostSeries ? labels : labels.slice(0, mostSeries - 1))
  const named = Map.groupBy(rows, ({ label }) => (shown.has(label) ? label : others))
  const order = [...shown, ...(named.has(others) && !shown.has(others) ? [others] : [])]
  return order.map(label => oneSeries(label, named.get(label) ?? [], buckets))
}

/** Adds up all rows as one series. */
export function oneSeries(label: string, rows: readonly CountedRow[], buckets: number): Series {
  return { label, total: total(rows), values: valuesOf(rows, buckets) }
}

/** The response time in milliseconds that this share of the requests did not exceed; `null` without requests. */
export function percentile(rows: readonly CountedRow[], share: number): number | null {
  const counts = ranked(rows)
    .map(({ label, count }) => ({ mostMs: Number(label), count }))
    .toSorted((left, right) => left.mostMs - right.mostMs)
  const wanted = total(rows) * share
  let counted = 0
  for (const { mostMs, count } of counts) {
    counted += count
    if (counted >= wanted) return mostMs
  }
  return null
}
