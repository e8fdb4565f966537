/**
 * The frame of a chart, with its finding as the title and its numbers as a table; and a chart that is a list of names with
 * bars.
 */
import type { ReactNode } from 'react'
import { Link } from '../_ui/link.tsx'
import { Meter } from './figures.tsx'
import { numberText } from './number-words.ts'

type ChartFrameProps = {
  /** The subject of the chart. */
  readonly name: string
  /** The finding: a sentence about what the chart shows. */
  readonly finding: string
  readonly columns: readonly string[]
  readonly rows: ReadonlyArray<readonly (string | number)[]>
  readonly children: ReactNode
}

export function ChartFrame({ name, finding, columns, rows, children }: ChartFrameProps) {
  return (
    <section className="sheet chart">
      <div>
        <p className="small muted">{name}</p>
        <h2>{finding}</h2>
      </div>
      {children}
      <details className="chart-table">
        <summary>
          Show as table<span className="visually-hidden">: {name}</span>
        </summary>
        <NumberTable caption={`${name}: ${finding}`} columns={columns} rows={rows} />
      </details>
    </section>
  )
}

type NumberTableProps = Pick<ChartFrameProps, 'columns' | 'rows'> & { readonly caption: string }

function NumberTable({ caption, columns, rows }: NumberTableProps) {
  return (
    <table className="data-table">
      <caption className="visually-hidden">{caption}</caption>
      <thead>
        <tr>
          {columns.map((name, index) => (
            <th key={name} scope="col" className={index === 0 ? undefined : 'number'}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(([head, ...values]) => (
          <tr key={head}>
            <th scope="row">{head}</th>
            {values.map((value, index) => (
              <td key={columns[index + 1]} className="number" data-label={columns[index + 1]}>
                {typeof value === 'number' ? numberText(value) : value}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

type BarItem = {
  readonly id: string
  readonly label: string
  readonly count: number
  readonly href?: string
  readonly note?: string
}

type BarListProps = {
  readonly name: string
  readonly finding: string
  /** The headings of the table's two columns. */
  readonly columns: readonly [what: string, count: string]
  readonly items: readonly BarItem[]
}

/** A list of names with bars. Without counts nothing is shown. */
export function BarList({ name, finding, columns, items }: BarListProps) {
  const most = Math.max(...items.map(({ count }) => count), 0)
  if (most === 0) return null
  const rows = items.map(({ label, id, count }) => [label === id ? id : `${label} (${id})`, count])
  return (
    <ChartFrame name={name} finding={finding} columns={columns} rows={rows}>
      <ol className="bar-list list">
        {items.map(({ id, label, count, href, note }) => (
          <li key={id}>
            <span className="bar-name">
              {href === undefined ? label : <Link href={href}>{label}</Link>}
              {note !== undefined && <span className="small faint"> {note}</span>}
            </span>
            <span className="number">{numberText(count)}</span>
            <Meter share={count / most} />
          </li>
        ))}
      </ol>
    </ChartFrame>
  )
}
