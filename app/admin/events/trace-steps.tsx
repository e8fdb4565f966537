/** The facts of a request, its checks, and all events of its sign-in. */

import { Moment } from '#app/admin/_ui/times.tsx'
import type { RequestTrace } from '#lib/admin/events/request-trace.ts'
import { clientPath, requestTracePath, userPath } from '#lib/admin/page-paths.ts'
import { checkWords } from '#lib/errors/checks.ts'
import { deviceOf } from '#lib/protocol/text/device-name.ts'
import { browserAddress } from '#lib/protocol/wire/own-addresses.ts'
import { Link } from '../_ui/link.tsx'
import { visible } from './trace-comparison.tsx'

export function TraceFacts({ trace }: { readonly trace: RequestTrace }) {
  const { main, names } = trace
  const { browser, system } = deviceOf(main.userAgent)
  const device = [browser, system].filter(name => name !== null).join(' on ')
  return (
    <span className="facts-line dotted">
      <Moment at={main.time} detail="millisecond" />
      {main.clientId !== null && <Link href={clientPath(main.clientId)}>{names.client(main.clientId)}</Link>}
      {main.subject !== null && <Link href={userPath(main.subject)}>{names.user(main.subject)}</Link>}
      {device !== '' && <span>{device}</span>}
      {main.address !== null && <span className="mono">{main.address}</span>}
    </span>
  )
}

const spoken = { passed: 'Passed', failed: 'Failed', not_reached: 'Not reached' } as const

export function Checks({ trace: { checks, whyFailed } }: { readonly trace: RequestTrace }) {
  const isTimed = checks.some(({ atMs }) => atMs !== null)
  return (
    <section className="stack">
      <div className="trace-head">
        <h2>Checks</h2>
        <p className="small muted">{countWords(checks)}</p>
      </div>
      <ol className={isTimed ? 'checks list' : 'checks untimed list'} aria-label="Checks in order">
        {checks.map((check, index) => (
          <Check key={check.check} {...check} whyFailed={whyFailed} number={index + 1} />
        ))}
      </ol>
    </section>
  )
}

type CheckProps = RequestTrace['checks'][number] & { readonly whyFailed: string; readonly number: number }

function Check({ check, result, atMs, sent, whyFailed, number }: CheckProps) {
  const { text, standard, href } = checkWords(check)
  return (
    <li className={result}>
      <span className="sign" aria-hidden="true">
        {result === 'passed' ? '✓' : result === 'failed' ? '✕' : number}
      </span>
      <span>
        <span className="visually-hidden">{`${spoken[result]}: `}</span>
        {result === 'failed' ? whyFailed : text}
        {result === 'failed' && sent !== undefined && <code className="sent mono">{visible(sent)}</code>}
      </span>
      <span className="small source">
        {href === '' ? standard : <a href={browserAddress(href)}>{standard}</a>}
      </span>
      {atMs !== null && <span className="small faint at">{`${atMs.toFixed(1)} ms`}</span>}
    </li>
  )
}

/** The number of checks by result, such as `3 passed, 1 failed, 12 not reached`. */
function countWords(checks: RequestTrace['checks']): string {
  return (['passed', 'failed', 'not_reached'] as const)
    .map(result => ({ result, count: checks.filter(check => check.result === result).length }))
    .filter(({ count }) => count > 0)
    .map(({ result, count }) => `${count} ${spoken[result].toLowerCase()}`)
    .join(', ')
}

export function TraceSteps({ trace: { related, requestId } }: { readonly trace: RequestTrace }) {
  const first = related[0]?.event.time
  if (related.length < 2 || first === undefined) return null
  return (
    <section className="stack">
      <div className="trace-head">
        <h2>Full sign-in flow</h2>
        <p className="small muted">All events of this sign-in, oldest first.</p>
      </div>
      <ol className="checks steps-of list" aria-label="Full sign-in flow">
        {related.map(({ event, sentence }) => (
          <li
            key={event.id}
            className={event.outcome === 'failure' ? 'failed' : 'passed'}
            aria-current={event.requestId === requestId ? 'step' : undefined}
          >
            <span className="sign" aria-hidden="true">
              {event.outcome === 'failure' ? '✕' : '✓'}
            </span>
            <span>
              <span className="visually-hidden">{event.outcome === 'failure' ? 'Failed: ' : ''}</span>
              {sentence}
            </span>
            <span className="small source">
              {event.requestId === requestId ? (
                <span className="muted">this request</span>
              ) : (
                <Link className="mono" href={requestTracePath(event.requestId)}>
                  {event.requestId}
                </Link>
              )}
            </span>
            <span className="small faint at">{afterWords(event.time.getTime() - first.getTime())}</span>
          </li>
        ))}
      </ol>
    </section>
  )
}

/** A time after the first event, such as `+0.4 s`, `+12 s` or `+3 min`. */
function afterWords(milliseconds: number): string {
  const seconds = milliseconds / 1000
  if (seconds < 10) return `+${seconds.toFixed(1)} s`
  return seconds < 120 ? `+${Math.round(seconds)} s` : `+${Math.round(seconds / 60)} min`
}
