'use client'
/** A date and time in the time zone and language of the reader; in UTC on the server and without script. */
import { localTime, utcTime } from './time-words.ts'
import { useHydrated } from './use-hydrated.ts'

type MomentProps = { readonly at: Date | string; readonly isDayOnly?: boolean }

export function Moment({ at, isDayOnly = false }: MomentProps) {
  const isHydrated = useHydrated()
  const date = new Date(at)
  return (
    <time className="moment" dateTime={date.toISOString()} title={utcTime(date)}>
      {isHydrated ? localTime(date, isDayOnly) : utcTime(date, isDayOnly)}
    </time>
  )
}
