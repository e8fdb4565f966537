'use client'
/** A date and time in the time zone and language of the reader; in UTC on the server and without script. */
import { localTime, type TimeDetail, utcTime } from './time-words.ts'
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
