/** When each key signs (full) and is only published (pale), on one axis of time; the line is now. */
import { Moment } from '#app/admin/_ui/times.tsx'
import type { KeyView } from '#lib/admin/keys/key-view.ts'
import { signingKeys as limits } from '#lib/config/limits.ts'

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
        aria-label={`Times of the ${algorithm} keys; the same stands in words below`}
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
        One bar for each key, in the order below. Pale: published, so that apps know it. Dark: it signs. The
        line is now.
      </p>
    </div>
  )
}

function isNow(time: number, now: Date): boolean {
  return Math.abs(time - now.getTime()) < 86_400_000
}

/** A key without a planned end signs until the schedule replaces it. */
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
