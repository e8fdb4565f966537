/** Names with bars, the longest first. */
import type { Ranked } from '#lib/admin/overview/overview.ts'
import { ChartFrame } from './chart-frame.tsx'

type BarListProps = {
  readonly title: string
  readonly what: string
  readonly items: Ranked
  /** Where a name leads. */
  readonly hrefOf?: (label: string) => string
}

export function BarList({ title, what, items, hrefOf }: BarListProps) {
  const most = Math.max(1, ...items.map(({ count }) => count))
  const rows = items.some(({ count }) => count > 0)
    ? items.map(({ label, count }) => [label.replaceAll('_', ' '), count])
    : []
  return (
    <ChartFrame title={title} columns={[what, 'Count']} rows={rows}>
      <ol className="bar-list list">
        {items.map(({ label, count }) => (
          <li key={label}>
            <span>
              {hrefOf === undefined ? label.replaceAll('_', ' ') : <a href={hrefOf(label)}>{label}</a>}
            </span>
            <svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
              <rect width={(count / most) * 100} height="10" rx="1" className="layer-0" />
            </svg>
            <span className="number">{count}</span>
          </li>
        ))}
      </ol>
    </ChartFrame>
  )
}
