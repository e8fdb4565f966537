/**
 * Compares the sent value with the valid ones. If one is similar, the difference is marked, and described in words if it is
 * short.
 */
import type { RequestTrace } from '#lib/admin/events/request-trace.ts'
import type { Marked } from '#lib/protocol/text/marked-difference.ts'

export function Comparison({ trace: { difference, failed } }: { readonly trace: RequestTrace }) {
  const { sent, expected = [], check } = failed ?? {}
  if (sent === undefined && expected.length === 0) return null
  const right = /redirect_uri_registered$|^provider_issuer/.test(check ?? '') ? 'Registered' : 'Allowed'
  if (sent === undefined || difference === null || !isNear(difference))
    return <Values sent={sent} expected={expected} right={right} />
  const words = differenceWords(difference)
  return (
    <div className="comparison">
      <dl>
        <dt>Sent</dt>
        <dd>
          <MarkedText marked={difference.sent} kind="wrong" />
        </dd>
        <dt>{right}</dt>
        <dd>
          <MarkedText marked={difference.expected} kind="right" />
        </dd>
      </dl>
      {words !== null && <p className="small difference-words">{words}</p>}
      <Others others={difference.others} right={right.toLowerCase()} />
    </div>
  )
}

type ValuesProps = {
  readonly sent: string | undefined
  readonly expected: readonly string[]
  readonly right: string
}

/** The sent and the valid values without a marked difference: nothing was sent, or no valid value is similar to it. */
function Values({ sent, expected, right }: ValuesProps) {
  return (
    <div className="comparison">
      <dl>
        <dt>Sent</dt>
        <dd>
          {sent === undefined ? <span className="nothing">nothing</span> : <mark>{visible(sent)}</mark>}
        </dd>
        {expected.length > 0 && (
          <>
            <dt>{right}</dt>
            <dd className="values">
              {expected.map(value => (
                <span key={value}>{value}</span>
              ))}
            </dd>
          </>
        )}
      </dl>
    </div>
  )
}

function Others({ others, right }: { readonly others: readonly string[]; readonly right: string }) {
  if (others.length === 0) return null
  return (
    <details>
      <summary>{others.length === 1 ? `One more is ${right}` : `${others.length} more are ${right}`}</summary>
      <ul className="list others">
        {others.map(other => (
          <li key={other}>{other}</li>
        ))}
      </ul>
    </details>
  )
}

type MarkedTextProps = { readonly marked: Marked; readonly kind: 'wrong' | 'right' }

/** A text with the difference marked. Missing text is marked by a thin line. */
function MarkedText({ marked: { before, changed, after }, kind }: MarkedTextProps) {
  return (
    <bdi dir="ltr">
      {visible(before)}
      {changed === '' ? (
        <span className={`gap ${kind}`} aria-hidden="true" />
      ) : (
        <mark className={kind}>{visible(changed)}</mark>
      )}
      {visible(after)}
    </bdi>
  )
}

type Difference = Pick<NonNullable<RequestTrace['difference']>, 'sent' | 'expected'>

/** The number of characters up to which a difference is described in words; longer ones are only marked. */
const longestQuote = 40

export function differenceWords({ sent: left, expected: right }: Difference): string | null {
  const [sent, wanted] = [left.changed, right.changed]
  if (sent.includes('…')) return 'Query values are not stored and shown as “…”. Add such a URI by hand.'
  if (sent === '' && wanted === '') return null
  if (Math.max(sent.length, wanted.length) > longestQuote) return null
  const place = left.after === '' && right.after === '' ? ' at the end' : ''
  if (wanted === '') return `Not expected${place}: ${quoted(sent)}`
  if (sent === '') return `Missing${place}: ${quoted(wanted)}`
  return `${quoted(sent)} instead of ${quoted(wanted)}`
}

/** Whether the values have so much in common that marking the difference helps. */
export function isNear({ sent, expected }: Difference): boolean {
  const shared = sent.before.length + sent.after.length
  const longest = Math.max(sent.changed.length, expected.changed.length)
  return shared >= longest
}

/** Replaces invisible characters, and those that reverse text, by their code points. */
export function visible(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, codePointOf)
}

function codePointOf(character: string): string {
  return `⟨U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`
}

function quoted(text: string): string {
  return text === ' ' ? 'a space' : `“${visible(text)}”`
}
