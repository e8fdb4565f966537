/** A table that can be sorted by links. On a narrow screen each row is a card with the names of the columns next to its values. */
import type { ReactNode } from 'react'
import { type Query, withoutPosition } from '../admin-page.tsx'
import { Link } from './link.tsx'

export type Column<T> = {
  readonly name: string
  /** The name of the order by this column; left out if the list cannot be sorted by it. */
  readonly sort?: string
  /** Whether the column has the check boxes that select rows. */
  readonly isSelection?: boolean
  /** The content of a cell. The first column without check boxes has the head of the row. */
  readonly cell: (row: T) => ReactNode
  readonly isNumber?: boolean
  /** Whether the column has the buttons of the row. */
  readonly isActions?: boolean
}

type DataTableProps<T> = {
  /** The content of the table, for screen readers. */
  readonly caption: string
  readonly columns: readonly Column<T>[]
  readonly rows: readonly T[]
  readonly keyOf: (row: T) => string
  /** The address of the list, if it can be sorted. The address contains the order. */
  readonly sorting?: Sorting
}

export type Sorting = { readonly path: string; readonly query: Query }

export function DataTable<T>({ caption, columns, rows, keyOf, sorting }: DataTableProps<T>) {
  return (
    <table className="data-table">
      <caption className="visually-hidden">{caption}</caption>
      <thead>
        <tr>
          {columns.map(column => (
            <th key={column.name} scope="col" className={lookOf(column)} {...sortedAs(column, sorting)}>
              <ColumnHead column={column} sorting={sorting} />
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(row => (
          <tr key={keyOf(row)}>
            {columns.map((column, index) => (
              <Cell
                key={column.name}
                column={column}
                row={row}
                isHead={index === columns.findIndex(({ isSelection }) => !isSelection)}
              />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

type ColumnHeadProps<T> = {
  readonly column: Column<T>
  readonly sorting: Sorting | undefined
}

/**
 * The head of a column, which is a link if the list can be sorted by it. The first press sorts names in ascending
 * order, and other values in descending order; the second press reverses the order.
 */
function ColumnHead<T>({ column: { name, sort, isActions, isSelection }, sorting }: ColumnHeadProps<T>) {
  if (isActions || isSelection) return <span className="visually-hidden">{name}</span>
  if (sort === undefined || sorting === undefined) return name
  const { path, query } = sorting
  const kept = withoutPosition(query)
  const first = sort === 'name' ? sort : `-${sort}`
  const other = sort === 'name' ? `-${sort}` : sort
  const next = query.sort === first ? other : first
  // A Map and not an object: the key comes from the address and could be `constructor`
  const marks = new Map([
    [sort, '↑'],
    [`-${sort}`, '↓'],
  ])
  return (
    <Link href={`${path}?${new URLSearchParams({ ...kept, sort: next })}`}>
      {name}
      <span aria-hidden="true"> {marks.get(query.sort ?? '') ?? '↕'}</span>
    </Link>
  )
}

function sortedAs<T>({ sort }: Column<T>, sorting: Sorting | undefined) {
  if (sort === undefined || sorting === undefined) return {}
  if (sorting.query.sort === sort) return { 'aria-sort': 'ascending' as const }
  return sorting.query.sort === `-${sort}` ? { 'aria-sort': 'descending' as const } : {}
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
  isSelection,
}: Pick<Column<unknown>, 'isNumber' | 'isActions' | 'isSelection'>): string | undefined {
  if (isActions) return 'actions'
  if (isSelection) return 'selection'
  return isNumber ? 'number' : undefined
}
