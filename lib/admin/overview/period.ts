/** The period of an overview, in whole buckets, and the previous period of the same length. All in UTC. */
import { dayNumber, daySeconds, hourOf, secondsAfter, startOfDay } from '#lib/protocol/time.ts'

export const periodNames = ['today', '7d', '30d', '90d'] as const
export type PeriodName = (typeof periodNames)[number]

export type Period = {
  readonly name: PeriodName
  readonly days: number
  /** What one bar of a chart stands for. */
  readonly unit: 'hour' | 'day'
  /** Day numbers; both are part of it, and the last is today. */
  readonly first: number
  readonly last: number
  /** When each bucket begins. Those of today after `current` lie ahead. */
  readonly starts: readonly Date[]
  readonly current: number
  /** The end of the hour that now is, so many days ago: with it the period before ends, so that like meets like. */
  readonly beforeUntil: Date
}

const daysOf: Readonly<Record<PeriodName, number>> = { today: 1, '7d': 7, '30d': 30, '90d': 90 }

/** The requested period; a week if it is invalid. */
export function periodNamed(name: string | undefined): PeriodName {
  return periodNames.find(it => it === name) ?? '7d'
}

/** The period that ends now. */
export function periodOf(name: PeriodName, now: Date): Period {
  const days = daysOf[name]
  const last = dayNumber(now)
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
