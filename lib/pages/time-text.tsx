/**
 * A time in UTC and in the page's language; a script converts it to the reader's own time zone.
 *
 * NOTE: the element must contain exactly one text, otherwise React reports a mismatch after the script has changed it.
 */
import { forEachLocale, type Locale } from '#lib/i18n/locales.ts'

type TimeTextProps = {
  readonly at: Date
  readonly locale: Locale
  readonly isDayOnly?: boolean
  /** Whether the script names the time zone: for pages that are compared with logs or read in several time zones. */
  readonly isZoned?: boolean
}

export function TimeText({ at, locale, isDayOnly = false, isZoned = false }: TimeTextProps) {
  const text = (isDayOnly ? days : moments)[locale].format(at)
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

/** The locales of dates. English has the day first and 24 hours, because the reader's country is unknown. */
const dateLocales: Readonly<Record<Locale, string>> = { ...forEachLocale(locale => locale), en: 'en-GB' }

/** Created once, because creating a format takes longer than the rest of a row. */
const moments = formatsWith({ timeStyle: 'short' })
const days = formatsWith({})

function formatsWith(time: Intl.DateTimeFormatOptions): Readonly<Record<Locale, Intl.DateTimeFormat>> {
  return forEachLocale(
    locale => new Intl.DateTimeFormat(dateLocales[locale], { dateStyle: 'medium', timeZone: 'UTC', ...time }),
  )
}
