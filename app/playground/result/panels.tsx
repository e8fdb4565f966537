/** The panels of the result page: a token, or a request with its response. */
import { Fragment, type ReactNode } from 'react'
import { Panel, type PanelProps } from '#app/_ui/panel.tsx'
import { Parts } from '#app/_ui/sentence.tsx'
import type { Locale } from '#lib/i18n/locales.ts'
import type { Translate } from '#lib/i18n/translate.ts'
import { CopyButton } from '#lib/pages/copy-button.tsx'
import type { Frame } from '#lib/pages/frame.ts'
import { TimeText } from '#lib/pages/time-text.tsx'
import type { JsonValue } from '#lib/protocol/claims.ts'
import type { Call } from '../own-endpoints.ts'
import { readToken } from '../read-token.ts'

export type CallPanelProps = PanelProps & { readonly call: Call }

/** A request of the playground and its response. */
export function CallPanel({ call, ...panel }: CallPanelProps) {
  const { t, locale } = panel.frame
  return (
    <Panel {...panel}>
      <CodeBlock t={t} id={`${panel.id}-request`} label={t('playground.request')}>
        {call.request}
      </CodeBlock>
      <CodeBlock
        t={t}
        id={`${panel.id}-response`}
        label={t('playground.response', { status: String(call.status) })}
      >
        {call.body === null ? t('playground.noBody') : <JsonText value={call.body} locale={locale} />}
      </CodeBlock>
    </Panel>
  )
}

/** A token: its times, claims and header, and how it is sent. */
export function TokenPanel({ token, hint, ...panel }: PanelProps & { readonly token: string | undefined }) {
  if (token === undefined) return null
  const { id, frame } = panel
  const { t, locale } = frame
  const read = readToken(token)
  return (
    <Panel {...panel} hint={read === null ? 'playground.reference' : hint}>
      {read !== null && (
        <>
          <Times frame={frame} claims={read.claims} />
          <CodeBlock t={t} id={`${id}-claims`} label={t('playground.claims')}>
            <JsonText value={read.claims} locale={locale} />
          </CodeBlock>
          <CodeBlock t={t} id={`${id}-header`} label={t('playground.header')}>
            <JsonText value={read.header} locale={locale} />
          </CodeBlock>
        </>
      )}
      <CodeBlock t={t} id={`${id}-raw`} label={t('playground.raw')}>
        {token}
      </CodeBlock>
    </Panel>
  )
}

/** RFC 7519 4.1 and OpenID Connect Core 2, the times that a token is checked against. */
const times = [
  ['iat', 'playground.issuedAt'],
  ['exp', 'playground.expiresAt'],
  ['auth_time', 'playground.signedInAt'],
] as const

type TimesProps = { readonly frame: Frame; readonly claims: Readonly<Record<string, JsonValue>> }

/** The times of a token relative to now. */
function Times({ frame: { t, locale }, claims }: TimesProps) {
  const now = Date.now() / 1000
  return (
    <Parts look="small">
      {times.map(([claim, text]) => {
        const seconds = claims[claim]
        if (typeof seconds !== 'number') return null
        const isOver = claim === 'exp' && seconds < now
        return t(isOver ? 'playground.expiredAt' : text, { when: relativeTime(locale, seconds - now) })
      })}
    </Parts>
  )
}

const units = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const

/** “in 5 minutes”, “2 days ago”. */
function relativeTime(locale: Locale, seconds: number): string {
  const [unit, length] = units.find(([, size]) => Math.abs(seconds) >= size) ?? (['second', 1] as const)
  return new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(Math.round(seconds / length), unit)
}

type CodeBlockProps = {
  readonly t: Translate
  readonly id: string
  readonly label: string
  readonly children: ReactNode
}

/** Text for machines under its name, which scrolls sideways instead of breaking words. */
export function CodeBlock({ t, id, label, children }: CodeBlockProps) {
  return (
    <figure>
      <figcaption className="small faint">
        {label}
        <CopyButton t={t} of={id} name={label} />
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <pre className="code" id={id} dir="ltr" tabIndex={0}>
        {children}
      </pre>
    </figure>
  )
}

type JsonTextProps = { readonly value: JsonValue; readonly locale: Locale }

/** RFC 7519 4.1 and OpenID Connect Core 5.1: seconds since 1970. */
const time = /^\s*"(?:exp|iat|nbf|auth_time|updated_at)": (\d{9,10}),?$/

/** Indented JSON, short lists on one line, each time also as a date. */
function JsonText({ value, locale }: JsonTextProps) {
  const lines = JSON.stringify(value, null, 2)
    .replace(/\[[^[\]{}]*\]/g, array => array.replace(/\s*\n\s*/g, ' '))
    .split('\n')
  return lines.map((line, index) => {
    const seconds = time.exec(line)?.[1]
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: lines never move
      <Fragment key={index}>
        {index > 0 && '\n'}
        {line}
        {seconds !== undefined && (
          <span className="aside" data-aside="">
            {'  '}
            <TimeText at={new Date(Number(seconds) * 1000)} locale={locale} />
          </span>
        )}
      </Fragment>
    )
  })
}
