/** One number, how it compares, and its days as a line. */
import type { Compared } from '#lib/admin/overview/overview.ts'

const digits = new Intl.NumberFormat('en')

export function Figure({
  name,
  compared,
  days,
}: {
  readonly name: string
  readonly compared: Compared
  readonly days: number
}) {
  const { now, before, daily } = compared
  const most = Math.max(1, ...daily)
  const points = daily.map(
    (value, index) => `${(index / Math.max(1, daily.length - 1)) * 100},${28 - (value / most) * 26}`,
  )
  return (
    <div className="sheet figure">
      <h2 className="small muted">{name}</h2>
      <p className="figure-number">{digits.format(now)}</p>
      <p className="small muted">{comparison(now, before, days)}</p>
      <svg viewBox="0 0 100 30" preserveAspectRatio="none" aria-hidden="true" className="sparkline">
        <polyline points={points.join(' ')} vectorEffect="non-scaling-stroke" />
      </svg>
    </div>
  )
}

function comparison(now: number, before: number, days: number): string {
  if (before === 0) return `none in the ${days} days before`
  const change = Math.round(((now - before) / before) * 100)
  if (change === 0) return `as in the ${days} days before`
  return `${Math.abs(change)} % ${change > 0 ? 'more' : 'less'} than in the ${days} days before`
}
