/** Readable JSON: indented, short lists on one line, and each time also as a date. */
import { Fragment } from 'react'
import type { Locale } from '#lib/i18n/locales.ts'
import { TimeText } from '#lib/pages/time-text.tsx'
import type { JsonValue } from '#lib/protocol/claims.ts'

type JsonTextProps = { readonly value: JsonValue; readonly locale: Locale }

/** RFC 7519 4.1 and OpenID Connect Core 5.1: seconds since 1970. */
const time = /^\s*"(?:exp|iat|nbf|auth_time|updated_at)": (\d{9,10}),?$/

export function JsonText({ value, locale }: JsonTextProps) {
  return readable(value)
    .split('\n')
    .map((line, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: lines never move
      <Fragment key={index}>
        {index > 0 && '\n'}
        {line}
        <Moment seconds={time.exec(line)?.[1]} locale={locale} />
      </Fragment>
    ))
}

function Moment({ seconds, locale }: { readonly seconds: string | undefined; readonly locale: Locale }) {
  if (seconds === undefined) return null
  return (
    <span className="aside" data-aside="">
      {'  '}
      <TimeText at={new Date(Number(seconds) * 1000)} locale={locale} />
    </span>
  )
}

function readable(value: JsonValue): string {
  return JSON.stringify(value, null, 2).replace(/\[[^[\]{}]*\]/g, array => array.replace(/\s*\n\s*/g, ' '))
}
