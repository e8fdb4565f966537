/** Rows of equal things. On a phone each row is a card with the columns' names beside its values. */
import type { ReactNode } from 'react'

export type Column<T> = {
  readonly name: string
  /** The first column names the row and leads to it. */
  readonly cell: (row: T) => ReactNode
  readonly isNumber?: boolean
  /** Buttons: at the row's end, and on a phone below everything. */
  readonly isActions?: boolean
}

type DataTableProps<T> = {
  /** What the table lists, for those who only hear it. */
  readonly caption: string
  readonly columns: readonly Column<T>[]
  readonly rows: readonly T[]
  readonly keyOf: (row: T) => string
}

export function DataTable<T>({ caption, columns, rows, keyOf }: DataTableProps<T>) {
  return (
    <table className="data-table">
      <caption className="visually-hidden">{caption}</caption>
      <thead>
        <tr>
          {columns.map(column => (
            <th key={column.name} scope="col" className={lookOf(column)}>
              {column.isActions ? <span className="visually-hidden">{column.name}</span> : column.name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(row => (
          <tr key={keyOf(row)}>
            {columns.map((column, index) => (
              <Cell key={column.name} column={column} row={row} isHead={index === 0} />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

type CellProps<T> = { readonly column: Column<T>; readonly row: T; readonly isHead: boolean }

function Cell<T>({ column, row, isHead }: CellProps<T>) {
  const shared = { className: lookOf(column), 'data-label': column.name }
  if (isHead)
    return (
      <th scope="row" {...shared}>
        {column.cell(row)}
      </th>
    )
  return <td {...shared}>{column.cell(row)}</td>
}

function lookOf({
  isNumber,
  isActions,
}: Pick<Column<unknown>, 'isNumber' | 'isActions'>): string | undefined {
  if (isActions) return 'actions'
  return isNumber ? 'number' : undefined
}
