/** Shows the content of a token in the playground and in client tests. */
import { type ComponentType, Fragment, type ReactNode } from 'react'
import type { TokenContent } from '#lib/admin/flow-runs/token-content.ts'
import type { Locale } from '#lib/i18n/locales.ts'
import type { Translate } from '#lib/i18n/translate.ts'
import type { JsonValue } from '#lib/protocol/claims.ts'
import { Parts } from './sentence.tsx'

type Words = { readonly t: Translate; readonly locale: Locale }

export type CodeBlockProps = { readonly id: string; readonly label: string; readonly children: ReactNode }
/** JSON to show and copy. `text` is copied; `children` are shown, and may have a date at the end of a line. */
type JsonBlockProps = CodeBlockProps & { readonly text: string }

/** Components for JSON and times, which hosted pages and the dashboard implement differently. */
export type Kit = {
  readonly JsonBlock: ComponentType<JsonBlockProps>
  readonly Time: ComponentType<{ readonly at: Date }>
}

type TokenViewProps = {
  readonly words: Words
  readonly kit: Kit
  readonly id: string
  readonly token: TokenContent
}

/** The times of a token, its claims, and its header if it has one. */
export function TokenView({ words, kit, id, token: { header, claims } }: TokenViewProps) {
  const { t } = words
  return (
    <>
      <Times words={words} claims={claims} />
      <JsonView kit={kit} id={`${id}-claims`} label={t('playground.claims')} value={claims} />
      {header !== null && (
        <JsonView kit={kit} id={`${id}-header`} label={t('playground.header')} value={header} />
      )}
    </>
  )
}

/** The claims that `Times` shows (RFC 7519 4.1, OpenID Connect Core 2). */
const times = [
  ['iat', 'playground.issuedAt'],
  ['exp', 'playground.expiresAt'],
  ['auth_time', 'playground.signedInAt'],
] as const

type TimesProps = { readonly words: Words; readonly claims: TokenContent['claims'] }

/** The times of a token relative to now. */
function Times({ words: { t, locale }, claims }: TimesProps) {
  const now = Date.now() / 1000
  const known = times.flatMap(([claim, text]) => {
    const seconds = claims[claim]
    if (typeof seconds !== 'number') return []
    const isOver = claim === 'exp' && seconds < now
    const when = relativeTime(locale, seconds - now)
    return [t(isOver ? 'playground.expiredAt' : text, { when })]
  })
  return known.length > 0 && <Parts look="small">{known}</Parts>
}

const units = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const

/** A time relative to now, such as “in 5 minutes” or “2 days ago”. */
function relativeTime(locale: Locale, seconds: number): string {
  const [unit, length] = units.find(([, size]) => Math.abs(seconds) >= size) ?? (['second', 1] as const)
  return new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(Math.round(seconds / length), unit)
}

type JsonViewProps = {
  readonly kit: Kit
  readonly id: string
  readonly label: string
  readonly value: JsonValue
}

/** Matches a line with a claim in seconds since 1970 (RFC 7519 4.1, OpenID Connect Core 5.1). */
const time = /^\s*"(?:exp|iat|nbf|auth_time|updated_at)": (\d{9,10}),?$/

/** JSON with indentation, and lists of plain values on one line. A time is also shown as a date. */
export function JsonView({ kit: { JsonBlock, Time }, id, label, value }: JsonViewProps) {
  const text = JSON.stringify(value, null, 2).replace(/\[[^[\]{}]*\]/g, array =>
    array.replace(/\s*\n\s*/g, ' '),
  )
  return (
    <JsonBlock id={id} label={label} text={text}>
      {text.split('\n').map((line, index) => {
        const seconds = time.exec(line)?.[1]
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines never move
          <Fragment key={index}>
            {index > 0 && '\n'}
            {line}
            {seconds !== undefined && (
              <span className="aside" data-aside="">
                {'  '}
                <Time at={new Date(Number(seconds) * 1000)} />
              </span>
            )}
          </Fragment>
        )
      })}
    </JsonBlock>
  )
}
