/** The period of an overview in days or hours, and the end of the previous one. All times are in UTC. */
import { dayNumber, daySeconds, hourOf, secondsAfter, startOfDay } from '#lib/protocol/time.ts'

export const periodNames = ['today', '7d', '30d', '90d'] as const
export type PeriodName = (typeof periodNames)[number]

export type Period = {
  readonly name: PeriodName
  readonly days: number
  /** The length of one bucket, which is one bar of a chart. */
  readonly unit: 'hour' | 'day'
  /** The first and the last day, both included, as day numbers. The last day is today. */
  readonly first: number
  readonly last: number
  /** The beginning of each bucket. If the period is today, those after `current` are in the future. */
  readonly starts: readonly Date[]
  readonly current: number
  /** The end of the previous period: the end of the current hour, `days` days ago. */
  readonly beforeUntil: Date
}

const daysOf: Readonly<Record<PeriodName, number>> = { today: 1, '7d': 7, '30d': 30, '90d': 90 }

/** Parses the name of a period; `null` if there is no such period. */
export function periodNamed(name: string | undefined): PeriodName | null {
  return periodNames.find(it => it === name) ?? null
}

/**
 * Returns the period that includes today. Without a name it is today on the first counted day, and the last 7 days
 * afterwards.
 * @param firstDay the number of the first counted day; `null` if nothing was counted yet
 */
export function periodOf(given: PeriodName | null, firstDay: number | null, now: Date): Period {
  const last = dayNumber(now)
  const name = given ?? ((firstDay ?? last) === last ? 'today' : '7d')
  const days = daysOf[name]
  const first = last - days + 1
  const unit = name === 'today' ? 'hour' : 'day'
  const beforeUntil = secondsAfter(hourOf(now), 3600 - days * daySeconds)
  const starts =
    unit === 'hour'
      ? Array.from({ length: 24 }, (_one, hour) => secondsAfter(startOfDay(last), hour * 3600))
      : Array.from({ length: days }, (_one, index) => startOfDay(first + index))
  const current = unit === 'hour' ? now.getUTCHours() : days - 1
  return { name, days, unit, first, last, starts, current, beforeUntil }
}
