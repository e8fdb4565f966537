/** Writes times and durations as text. */

const format = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })

const steps = [
  { unit: 'year', seconds: 31_557_600 },
  { unit: 'month', seconds: 2_629_800 },
  { unit: 'day', seconds: 86_400 },
  { unit: 'hour', seconds: 3600 },
  { unit: 'minute', seconds: 60 },
] as const

/** A time relative to `now`: `3 minutes ago`, `in 2 days`, or `just now` within a minute. */
export function timeAgo(moment: Date, now: Date): string {
  const seconds = Math.round((moment.getTime() - now.getTime()) / 1000)
  const step = steps.find(it => Math.abs(seconds) >= it.seconds)
  if (step === undefined) return 'just now'
  // Rounding makes 90 days three months, although three months of average length have more days
  const whole = step.unit === 'month' ? Math.round : Math.trunc
  return format.format(whole(seconds / step.seconds), step.unit)
}

/** A duration in its largest whole unit: `1 hour`, `30 days`, `90 seconds`. */
export function duration(seconds: number): string {
  const step = [...steps].find(it => seconds >= it.seconds && seconds % it.seconds === 0)
  const count = step === undefined ? seconds : seconds / step.seconds
  const unit = step?.unit ?? 'second'
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}

export type TimeDetail = 'day' | 'minute' | 'millisecond'

/** A time in UTC, such as `2026-11-23 02:20 UTC`: the day only, or up to the minute or millisecond. */
export function utcTime(moment: Date, detail: TimeDetail = 'minute'): string {
  const iso = moment.toISOString()
  if (detail === 'millisecond') return `${iso.slice(0, 10)} ${iso.slice(11, 23)} UTC`
  return detail === 'day' ? iso.slice(0, 10) : `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`
}

const day = { year: 'numeric', month: 'short', day: 'numeric' } as const
const minute = { ...day, hour: 'numeric', minute: '2-digit', timeZoneName: 'short' } as const
const millisecond = { ...minute, second: '2-digit', fractionalSecondDigits: 3 } as const
const styles = { day, minute, millisecond } as const
const formats: { [detail in TimeDetail]?: Intl.DateTimeFormat } = {}

/** A time in the time zone and language of the browser: the day only, or with the time of day and the name of the zone. */
export function localTime(moment: Date, detail: TimeDetail = 'minute'): string {
  // Formats are cached, because creating one is slow
  formats[detail] ??= new Intl.DateTimeFormat(undefined, styles[detail])
  return formats[detail].format(moment)
}
