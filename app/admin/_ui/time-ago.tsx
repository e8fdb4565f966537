'use client'
/** How long ago something was, with the exact time on hover and for screen readers. */
import { localTime, timeAgo, utcTime } from './time-words.ts'
import { useHydrated } from './use-hydrated.ts'

type TimeAgoProps = {
  readonly at: Date | string | null
  readonly now: Date
  /** Shown instead when there is no time. */
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
