/** A chart with its finding as the title, and the same numbers as a table. */
import type { ReactNode } from 'react'

type ChartFrameProps = {
  readonly title: string
  readonly columns: readonly string[]
  readonly rows: ReadonlyArray<readonly (string | number)[]>
  readonly children: ReactNode
}

export function ChartFrame({ title, columns, rows, children }: ChartFrameProps) {
  return (
    <section className="sheet chart">
      <h2>{title}</h2>
      {rows.length === 0 ? <p className="small muted">No data yet.</p> : children}
      {rows.length > 0 && (
        <details>
          <summary>Show as table</summary>
          <table className="data-table">
            <caption className="visually-hidden">{title}</caption>
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
                      {value}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </details>
      )}
    </section>
  )
}
