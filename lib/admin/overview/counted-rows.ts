/** Reads the sums of a period and of the one before it: days for weeks and months, hours for today. */
import type { Active, HourlyCount, RollUps } from '#lib/ports/aggregates.ts'
import { startOfDay } from '#lib/protocol/time.ts'
import type { Period } from './period.ts'

export type CountedRow = {
  readonly bucket: number
  readonly metric: string
  readonly label: string
  readonly count: number
}

export type CountedRows = { readonly current: readonly CountedRow[]; readonly before: readonly CountedRow[] }

/** First visits of a day, and what of them each person is counted by, once in the period. */
export const visitMetric = 'visits'
export const peopleMetric = 'people'

/** Labels of the period; of the previous one only metrics. */
export function readRows(rollUps: RollUps, period: Period, metrics: readonly string[]): Promise<CountedRows> {
  return period.unit === 'hour' ? readHours(rollUps, period, metrics) : readDays(rollUps, period, metrics)
}

async function readHours(rollUps: RollUps, period: Period, metrics: readonly string[]) {
  const { last, beforeUntil } = period
  const today = { from: startOfDay(last), until: startOfDay(last + 1) }
  const yesterday = { from: startOfDay(last - 1), until: beforeUntil }
  const [current, before, active, activeBefore] = await Promise.all([
    rollUps.hours({ metrics, ...today, by: 'label' }),
    rollUps.hours({ metrics, ...yesterday, by: 'metric' }),
    rollUps.activeHours(today, 0),
    rollUps.activeHours(yesterday, 0),
  ])
  return {
    current: [...current.map(hourRow), ...active.flatMap(row => activeRows(row, row.hour.getUTCHours()))],
    before: [...before.map(hourRow), ...activeBefore.flatMap(row => activeRows(row, row.hour.getUTCHours()))],
  }
}

/** The last day of the period before ends at this time of the day: what came later then is taken off. */
async function readDays(rollUps: RollUps, period: Period, metrics: readonly string[]) {
  const { first, last, days, beforeUntil } = period
  const before = { first: first - days, last: first - 1 }
  const surplus = { from: beforeUntil, until: startOfDay(first) }
  const [current, earlier, later, active, activeEarlier, activeLater] = await Promise.all([
    rollUps.days({ metrics, first, last, by: 'label' }),
    rollUps.days({ metrics, ...before, by: 'metric' }),
    rollUps.hours({ metrics, ...surplus, by: 'metric' }),
    rollUps.activeDays({ first, last }),
    rollUps.activeDays(before),
    rollUps.activeHours(surplus, days - 1),
  ])
  const takenOff = [...later.map(hourRow), ...activeLater.flatMap(row => activeRows(row, 0))]
  return {
    current: [
      ...current.map(row => ({ ...row, bucket: row.day - first })),
      ...active.flatMap(row => activeRows(row, row.day - first)),
    ],
    before: [
      ...earlier.map(row => ({ ...row, bucket: row.day - before.first })),
      ...activeEarlier.flatMap(row => activeRows(row, row.day - before.first)),
      ...takenOff.map(row => ({ ...row, bucket: days - 1, count: -row.count })),
    ],
  }
}

function hourRow({ hour, metric, label, count }: HourlyCount): CountedRow {
  return { metric, label, count, bucket: hour.getUTCHours() }
}

function activeRows({ visits, fresh, people }: Active, bucket: number): readonly CountedRow[] {
  return [
    { bucket, metric: visitMetric, label: 'returning', count: visits - fresh },
    { bucket, metric: visitMetric, label: 'new', count: fresh },
    { bucket, metric: peopleMetric, label: '', count: people },
  ]
}

/** Whether anything was counted as far back as the period before reaches. */
export function knowsBefore({ first, days }: Period, firstDay: number | null): boolean {
  return firstDay !== null && firstDay <= first - days
}

/** The first bucket of which there can be a count. */
export function firstKnown({ unit, first, current }: Period, firstDay: number | null): number {
  if (firstDay === null) return current
  return unit === 'hour' ? 0 : Math.max(0, firstDay - first)
}
