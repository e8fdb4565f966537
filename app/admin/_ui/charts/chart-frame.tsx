/** A chart with its finding as the title, and the same numbers as a table. */
import type { ReactNode } from 'react'
import { numberText } from './number-words.ts'

type ChartFrameProps = {
  /** What the chart is of. */
  readonly name: string
  /** What it shows. */
  readonly finding: string
  readonly columns: readonly string[]
  readonly rows: ReadonlyArray<readonly (string | number)[]>
  /** What will stand here, while nothing does. */
  readonly empty: string
  readonly children: ReactNode
}

export function ChartFrame({ name, finding, columns, rows, empty, children }: ChartFrameProps) {
  if (rows.length === 0) return <EmptyChart name={name} empty={empty} />
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

function EmptyChart({ name, empty }: { readonly name: string; readonly empty: string }) {
  return (
    <section className="sheet chart is-empty">
      <h2 className="small muted">{name}</h2>
      <p className="small muted chart-empty">{empty}</p>
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
