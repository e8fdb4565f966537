/** The details of a key: state, times, public key and revocation; and the timeline of an algorithm's keys. */
import { Moment } from '#app/admin/_ui/times.tsx'
import type { KeyView } from '#lib/admin/keys/key-view.ts'
import { revokeKey } from '#lib/admin/keys/use-cases.ts'
import { signingKeys as limits } from '#lib/config/limits.ts'
import { ConfirmedForm } from '../_ui/confirmed-form.tsx'
import { CodePanel, CopyText } from '../_ui/copy.tsx'
import { Facts } from '../_ui/page-parts.tsx'
import type { AdminPage } from '../admin-page.tsx'

type KeyDetailsProps = {
  readonly page: AdminPage
  readonly view: KeyView
  readonly consequence: readonly string[]
}

const states = {
  next: { look: 'tag brass', word: 'Next' },
  active: { look: 'tag good', word: 'Active' },
  retiring: { look: 'tag', word: 'Verifies only' },
  expired: { look: 'tag', word: 'Expired' },
} as const

export function KeyDetails({ page, view, consequence }: KeyDetailsProps) {
  const { look, word } = states[view.state]
  return (
    <div className="key">
      <h3 className="facts-line">
        <span className={look}>{word}</span>
        <CopyText id={`kid-${view.kid}`} name="the key ID" text={view.kid} />
      </h3>
      <Facts
        isRow
        facts={{
          Created: <Moment at={view.created_at} />,
          'Signs from': <Moment at={signsFrom(view)} />,
          'Signs until': <MomentOr at={view.signs_until} none="the next rotation" />,
          'Published until': <MomentOr at={view.published_until} none="its last token expires" />,
        }}
      />
      <details>
        <summary className="small">Public key</summary>
        <CodePanel id={`jwk-${view.kid}`} title="JWK" text={JSON.stringify(view.public_jwk, null, 2)} />
      </details>
      <RemoveKey page={page} kid={view.kid} consequence={consequence} />
    </div>
  )
}

/** The time from which a key signs: `signs_from`, or its creation if that is later. */
function signsFrom({ created_at: made, signs_from: from }: KeyView): Date {
  return new Date(Math.max(Date.parse(made), Date.parse(from)))
}

function MomentOr({ at, none }: { readonly at: string | null; readonly none: string }) {
  if (at === null) return <span className="faint">{none}</span>
  return <Moment at={at} />
}

type RemoveKeyProps = Pick<KeyDetailsProps, 'page' | 'consequence'> & { readonly kid: string }

function RemoveKey({ page, kid, consequence }: RemoveKeyProps) {
  return (
    <ConfirmedForm
      page={page}
      useCase={revokeKey}
      hidden={{ kid }}
      label="Key compromised?"
      consequence={consequence.map(sentence => <p key={sentence}>{sentence}</p>)}
      verb="Revoke this key now"
      isBrief
    />
  )
}

type KeyTimelineProps = {
  readonly algorithm: string
  readonly keys: readonly KeyView[]
  readonly now: Date
}

const width = 640
const rowHeight = 18
const barHeight = 8

export function KeyTimeline({ algorithm, keys, now }: KeyTimelineProps) {
  const bars = keys.map(barOf)
  const times = [...bars.flatMap(bar => [bar.publishedFrom, bar.publishedUntil]), now.getTime()]
  const [first, last] = [Math.min(...times), Math.max(...times)]
  const x = (time: number) => Math.round(((time - first) / Math.max(1, last - first)) * width)
  const height = bars.length * rowHeight
  return (
    <div>
      <svg
        className="block w-full h-auto"
        viewBox={`0 0 ${width} ${height}`}
        role="img"
        aria-label={`Times of the ${algorithm} keys; listed below in words`}
      >
        {bars.map((bar, index) => {
          const y = index * rowHeight + (rowHeight - barHeight) / 2
          const row = { y, height: barHeight, rx: 2 }
          return (
            <g key={bar.kid}>
              <rect
                className="fill-line"
                x={x(bar.publishedFrom)}
                width={lengthOf(x, bar.publishedFrom, bar.publishedUntil)}
                {...row}
              />
              <rect
                className="fill-ink"
                x={x(bar.signsFrom)}
                width={lengthOf(x, bar.signsFrom, bar.signsUntil)}
                {...row}
              />
            </g>
          )
        })}
        <line
          className="stroke-brass"
          x1={x(now.getTime())}
          x2={x(now.getTime())}
          y1={0}
          y2={height}
          strokeWidth={2}
        />
      </svg>
      <p className="timeline-ends small faint" aria-hidden="true">
        {[first, last].map(end => (
          <span key={end}>{isNow(end, now) ? 'now' : <Moment at={new Date(end)} detail="day" />}</span>
        ))}
      </p>
      <p className="small muted">
        One bar for each key, in the order below. Pale: published. Solid: active. The vertical line is now.
      </p>
    </div>
  )
}

function isNow(time: number, now: Date): boolean {
  return Math.abs(time - now.getTime()) < 86_400_000
}

/** The position of a key in the timeline. Without a planned end it signs until the schedule replaces it. */
function barOf(key: KeyView) {
  const signsFrom = Date.parse(key.signs_from)
  const signsUntil =
    key.signs_until === null ? signsFrom + limits.rotationSeconds * 1000 : Date.parse(key.signs_until)
  return {
    kid: key.kid,
    publishedFrom: Math.min(Date.parse(key.created_at), signsFrom),
    publishedUntil: key.published_until === null ? signsUntil : Date.parse(key.published_until),
    signsFrom,
    signsUntil: Math.max(signsFrom, signsUntil),
  }
}

function lengthOf(x: (time: number) => number, from: number, until: number): number {
  return Math.max(1, x(until) - x(from))
}
