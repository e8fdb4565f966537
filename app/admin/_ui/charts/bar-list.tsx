/** Names with bars, the longest first. */
import { Link } from '../link.tsx'
import { ChartFrame } from './chart-frame.tsx'
import { numberText } from './number-words.ts'

type BarItem = {
  /** Unlike every other one’s. */
  readonly id: string
  readonly label: string
  readonly count: number
  readonly href?: string
  /** Said below the name. */
  readonly note?: string
}

type BarListProps = {
  readonly name: string
  readonly finding: string
  readonly empty: string
  /** What each name is, and what is counted. */
  readonly columns: readonly [what: string, count: string]
  readonly items: readonly BarItem[]
}

export function BarList({ name, finding, empty, columns, items }: BarListProps) {
  const most = Math.max(1, ...items.map(({ count }) => count))
  const isAnything = items.some(({ count }) => count > 0)
  return (
    <ChartFrame
      name={name}
      finding={finding}
      empty={empty}
      columns={columns}
      rows={
        isAnything ? items.map(({ label, id, count }) => [label === id ? id : `${label} (${id})`, count]) : []
      }
    >
      <ol className="bar-list list">
        {items.map(({ id, label, count, href, note }) => (
          <li key={id}>
            <span className="bar-name">
              {href === undefined ? label : <Link href={href}>{label}</Link>}
              {note !== undefined && <span className="small faint"> {note}</span>}
            </span>
            <span className="number">{numberText(count)}</span>
            <svg viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
              <rect width="100" height="6" className="meter-back" />
              <rect width={(count / most) * 100} height="6" className="layer-0" />
            </svg>
          </li>
        ))}
      </ol>
    </ChartFrame>
  )
}
