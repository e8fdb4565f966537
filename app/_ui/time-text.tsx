/**
 * A moment: in UTC and in the page's language; script turns it into the reader's own time zone.
 *
 * NOTE: one text and no more inside, or React finds another tree than it drew once script has changed it.
 */
import type { Locale } from '#lib/i18n/locales.ts'

type TimeTextProps = {
  readonly at: Date
  readonly locale: Locale
  readonly isDayOnly?: boolean
  /** The reader's own zone is named, too: for pages that are read beside logs and by several people. */
  readonly isZoned?: boolean
}

export function TimeText({ at, locale, isDayOnly = false, isZoned = false }: TimeTextProps) {
  const text = formatFor(locale, isDayOnly).format(at)
  return (
    <time
      dateTime={at.toISOString()}
      suppressHydrationWarning
      data-day={isDayOnly ? '' : undefined}
      data-zone={isZoned ? '' : undefined}
    >
      {isDayOnly ? text : `${text} UTC`}
    </time>
  )
}

/** Kept, since making one costs more than the rest of a row: two for each language. */
const formats = new Map<string, Intl.DateTimeFormat>()

function formatFor(locale: Locale, isDayOnly: boolean): Intl.DateTimeFormat {
  const key = `${locale} ${isDayOnly}`
  const known = formats.get(key)
  if (known !== undefined) return known
  const time = isDayOnly ? {} : ({ timeStyle: 'short' } as const)
  const format = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC', ...time })
  formats.set(key, format)
  return format
}
