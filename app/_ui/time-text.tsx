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
  const time = isDayOnly ? {} : ({ timeStyle: 'short' } as const)
  const format = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC', ...time })
  return (
    <time
      dateTime={at.toISOString()}
      suppressHydrationWarning
      data-day={isDayOnly ? '' : undefined}
      data-zone={isZoned ? '' : undefined}
    >
      {isDayOnly ? format.format(at) : `${format.format(at)} UTC`}
    </time>
  )
}
