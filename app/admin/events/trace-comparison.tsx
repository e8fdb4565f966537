/** The value sent beside the one that would have been right, with what differs marked and said. */
import type { Marked } from '#lib/admin/events/difference.ts'
import type { RequestTrace } from '#lib/admin/events/request-trace.ts'
import { differenceWords, isNear, visible } from './difference-words.ts'

export function Comparison({ trace: { difference, failed } }: { readonly trace: RequestTrace }) {
  const { sent, expected = [], check } = failed ?? {}
  if (sent === undefined && expected.length === 0) return null
  const right = check === 'redirect_uri_registered' ? 'Registered' : 'Allowed'
  if (sent === undefined || difference === null || !isNear(difference))
    return <Values sent={sent} expected={expected} right={right} />
  const words = differenceWords(difference)
  return (
    <div className="comparison">
      <dl>
        <dt>Sent</dt>
        <dd>
          <MarkedText marked={difference.left} kind="wrong" />
        </dd>
        <dt>{right}</dt>
        <dd>
          <MarkedText marked={difference.right} kind="right" />
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

/** Nothing comes near: all of it stands there. */
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

/** Where one side has nothing, a thin line stands in the gap. */
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
