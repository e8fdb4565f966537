'use client'
/** Exact and relative times. Script shows exact times in the time zone and language of the browser instead of in UTC. */
import { localTime, type TimeDetail, timeAgo, utcTime } from './time-words.ts'
import { useHydrated } from './use-hydrated.ts'

type MomentProps = { readonly at: Date | string; readonly detail?: TimeDetail }

export function Moment({ at, detail = 'minute' }: MomentProps) {
  const isHydrated = useHydrated()
  const date = new Date(at)
  const utc = utcTime(date, detail)
  return (
    <time className="moment" dateTime={date.toISOString()} title={detail === 'day' ? utcTime(date) : utc}>
      {isHydrated ? localTime(date, detail) : utc}
    </time>
  )
}

type TimeAgoProps = {
  readonly at: Date | string | null
  readonly now: Date
  /** The text for a missing time. */
  readonly never?: string
}

export function TimeAgo({ at, now, never = 'never' }: TimeAgoProps) {
  const isHydrated = useHydrated()
  if (at === null) return <span className="faint">{never}</span>
  const date = new Date(at)
  const exact = isHydrated ? localTime(date) : utcTime(date)
  return (
    <time className="when" dateTime={date.toISOString()} title={exact}>
      {timeAgo(date, now)}
      <span className="visually-hidden">{`, ${exact}`}</span>
    </time>
  )
}
