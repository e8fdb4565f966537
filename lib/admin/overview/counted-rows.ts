/** Reads the sums of a period and of the one before it: days for weeks and months, hours for today. */
import type { RollUps } from '#lib/ports/roll-ups.ts'
import { dayNumber, startOfDay } from '#lib/protocol/time.ts'
import type { Period } from './period.ts'

export type CountedRow = {
  readonly bucket: number
  readonly day: number
  readonly metric: string
  readonly label: string
  readonly count: number
}

export type CountedRows = { readonly current: readonly CountedRow[]; readonly before: readonly CountedRow[] }

export function readRows(rollUps: RollUps, period: Period, metrics: readonly string[]): Promise<CountedRows> {
  return period.unit === 'hour' ? readHours(rollUps, period, metrics) : readDays(rollUps, period, metrics)
}

async function readHours(rollUps: RollUps, { last, beforeUntil }: Period, metrics: readonly string[]) {
  const [current, before] = await Promise.all([
    rollUps.hours(metrics, startOfDay(last), startOfDay(last + 1)),
    rollUps.hours(metrics, startOfDay(last - 1), beforeUntil),
  ])
  return { current: current.map(hourRow), before: before.map(hourRow) }
}

/** The last day of the period before ends at this time of the day: what came later then is taken off. */
async function readDays(rollUps: RollUps, period: Period, metrics: readonly string[]) {
  const { first, last, days, beforeUntil } = period
  const [rows, later] = await Promise.all([
    rollUps.days(metrics, first - days, last),
    rollUps.hours(metrics, beforeUntil, startOfDay(first)),
  ])
  const bucketed = rows.map(row => ({ ...row, bucket: row.day - (row.day < first ? first - days : first) }))
  const takenOff = later.map(hourRow).map(row => ({ ...row, bucket: days - 1, count: -row.count }))
  return {
    current: bucketed.filter(({ day }) => day >= first),
    before: [...bucketed.filter(({ day }) => day < first), ...takenOff],
  }
}

function hourRow({ hour, ...count }: Awaited<ReturnType<RollUps['hours']>>[number]): CountedRow {
  return { ...count, day: dayNumber(hour), bucket: hour.getUTCHours() }
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
