/** The page with the list of a resource: search, filters, sortable table, paging, and export. */

import type { ReactNode } from 'react'
import type { ResourceArea } from '#lib/admin/page-paths.ts'
import { compareNames } from '#lib/protocol/text/name-order.ts'
import { browserAddress } from '#lib/protocol/wire/own-addresses.ts'
import { ActionLink } from '../_ui/confirmed-form.tsx'
import { type Column, DataTable } from '../_ui/data-table.tsx'
import { type Filter, FilterBar } from '../_ui/filter-bar.tsx'
import { Link } from '../_ui/link.tsx'
import { AdminShell, EmptyState } from '../_ui/page-parts.tsx'
import { Pager } from '../_ui/pager.tsx'
import { type AdminPage, type Query, withoutPosition } from '../admin-page.tsx'

export type ResourceListProps<T> = {
  readonly page: AdminPage
  readonly area: ResourceArea
  readonly title: string
  readonly description: ReactNode
  /** Elements before the button that creates an object, such as a link. */
  readonly actions?: ReactNode
  /** The label of the button that creates an object, such as "New client". */
  readonly create: string
  /** The query of the address without empty values. */
  readonly query: Query
  /** The label of the search box, which says what it finds; `null` for a list without a search. */
  readonly search: string | null
  readonly filters: readonly Filter[]
  readonly columns: readonly Column<T>[]
  readonly rows: readonly T[]
  readonly keyOf: (row: T) => string
  /** The token of the next page; `null` on the last page. */
  readonly next?: string | null
  readonly count: string
  /** The text for an empty list. */
  readonly empty: { readonly title: string; readonly text: ReactNode }
  /** The reason why this admin may not export the list; `null` if they may, left out if the list has no export. */
  readonly exportReasonAgainst?: string | null
  /** The label of the link to deleted objects; left out if they cannot be restored. */
  readonly deleted?: string
  /** Draws the table differently, such as in several parts. */
  readonly table?: (rows: readonly T[]) => ReactNode
  /** Wraps the table, such as in a form. */
  readonly around?: (table: ReactNode) => ReactNode
}

export function ResourceList<T>(props: ResourceListProps<T>) {
  const { page, area, title, description, create, query, rows, empty, deleted, exportReasonAgainst } = props
  const path = `/admin/${area}`
  const createLink = (
    <ActionLink href={`${path}/new`} reasonAgainst={page.reasonAgainst(`${area}:create`)}>
      {create}
    </ActionLink>
  )
  const exported = withoutPosition(query)
  const isEmpty = rows.length === 0 && Object.keys(exported).length === 0 && query.after === undefined
  return (
    <AdminShell
      page={page}
      title={title}
      description={description}
      action={
        <>
          {exportReasonAgainst === null && (
            <a className="btn" href={browserAddress(`${path}/export?${new URLSearchParams(exported)}`)}>
              Export as CSV
            </a>
          )}
          {props.actions}
          {createLink}
        </>
      }
    >
      {isEmpty ? (
        <EmptyState title={empty.title} action={createLink}>
          {empty.text}
        </EmptyState>
      ) : (
        <Found {...props} path={path} />
      )}
      {deleted !== undefined && (
        <p className="small">
          <Link href={`${path}/deleted`}>{deleted}</Link>
        </p>
      )}
    </AdminShell>
  )
}

function Found<T>({ path, ...props }: ResourceListProps<T> & { readonly path: string }) {
  const { area, title, query, search, filters, columns, rows, keyOf, next = null, count } = props
  const { table, around = drawn => drawn } = props
  // A search is not sorted
  const sorting = query.q === undefined ? { path, query } : undefined
  return (
    <>
      {search !== null && <FilterBar path={path} query={query} search={search} filters={filters} />}
      {rows.length === 0 && next === null && (
        <p className="muted no-match">
          No {area.slice(0, -1)} matches. Try fewer letters, or clear the filters.
        </p>
      )}
      {rows.length > 0 &&
        around(
          table?.(rows) ?? (
            <DataTable
              caption={title}
              columns={columns}
              rows={rows}
              keyOf={keyOf}
              {...(sorting === undefined ? {} : { sorting })}
            />
          ),
        )}
      <Pager path={path} query={query} next={next} count={count} isEmpty={rows.length === 0} />
    </>
  )
}

type SortValue = string | number | boolean

/** Sorts a complete list by the order in the address. `values` has the columns by which it can be sorted. */
export function sortRows<T>(
  rows: readonly T[],
  sort: string | undefined,
  values: Readonly<Record<string, (row: T) => SortValue>>,
): readonly T[] {
  if (sort === undefined) return rows
  const column = sort.replace('-', '')
  const read = Object.hasOwn(values, column) ? values[column] : undefined
  if (read === undefined) return rows
  const sorted = rows.toSorted((left, right) => compare(read(left), read(right)))
  return sort.startsWith('-') ? sorted.reverse() : sorted
}

function compare(left: SortValue, right: SortValue): number {
  if (typeof left === 'string' && typeof right === 'string') return compareNames(left, right)
  return Number(left) - Number(right)
}
