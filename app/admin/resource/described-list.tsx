/** A list of the dashboard as a page, drawn from its definition. */
import type { ReactNode } from 'react'
import type { AdminPorts } from '#lib/admin/admin-ports.ts'
import { countedText } from '#lib/admin/counted-text.ts'
import type { ListColumns, ViewOf } from '#lib/admin/list/columns.ts'
import type { Choices } from '#lib/admin/list/filters.ts'
import type { UseCase } from '#lib/admin/use-case.ts'
import type { Column } from '../_ui/data-table.tsx'
import { TimeAgo } from '../_ui/times.tsx'
import { callUseCase, type Query, withoutEmptyValues } from '../admin-page.tsx'
import { ResourceList, type ResourceListProps } from './resource-list.tsx'

type Cells<C> = { readonly [Name in keyof C]?: (row: ViewOf<C>) => ReactNode }

type DescribedListProps<C, Filter> = Omit<
  ResourceListProps<ViewOf<C>>,
  'query' | 'filters' | 'columns' | 'rows' | 'next' | 'count' | 'table'
> & {
  readonly list: {
    readonly columns: C
    readonly choices: Choices
    readonly readQuery: (query: Query) => { readonly asked: object; readonly filter: Filter }
    readonly useCase: UseCase<object, { readonly items: ViewOf<C>[]; readonly next: string | null }>
  }
  readonly count: (ports: AdminPorts, filter: Filter) => Promise<Parameters<typeof countedText>[0]>
  readonly nouns: readonly [one: string, several: string]
  /** The columns to show, from left to right. */
  readonly shown: readonly (keyof C & string)[]
  readonly cells: Cells<C>
  /** The column with check boxes, before the others. */
  readonly selection?: Column<ViewOf<C>>
}

export async function DescribedList<C extends ListColumns<never>, Filter>(
  props: DescribedListProps<C, Filter>,
) {
  const { page, list, count, nouns, shown, cells, selection } = props
  const query = withoutEmptyValues(page.query)
  const { asked, filter } = list.readQuery(query)
  const { items, next } = await callUseCase(page, list.useCase, asked)
  const filters = Object.entries(list.choices).map(([name, choice]) => ({ name, ...choice }))
  return (
    <ResourceList
      {...props}
      query={query}
      filters={filters}
      columns={[
        ...(selection === undefined ? [] : [selection]),
        ...tableColumns(list.columns, shown, { cells, now: page.now }),
      ]}
      rows={items}
      next={next}
      count={countedText(await count(page.ports, filter), ...nouns)}
    />
  )
}

type Look<C> = { readonly cells: Cells<C>; readonly now: Date }

/** The columns of a table. `cells` draws those that are more than a text or a time. */
export function tableColumns<C extends ListColumns<never>>(
  columns: C,
  shown: readonly (keyof C & string)[],
  { cells, now }: Look<C>,
): readonly Column<ViewOf<C>>[] {
  return shown.map(name => {
    const { label = name, sort, isTime } = columns[name] ?? {}
    return {
      name: label,
      ...(sort === undefined ? {} : { sort }),
      cell: cells[name] ?? (row => <Value value={row[name]} isTime={isTime ?? false} now={now} />),
    }
  })
}

type ValueProps = { readonly value: unknown; readonly isTime: boolean; readonly now: Date }

function Value({ value, isTime, now }: ValueProps) {
  const text = typeof value === 'string' || typeof value === 'number' ? value : null
  if (isTime) return <TimeAgo at={text === null ? null : String(text)} now={now} />
  return text ?? <span className="faint">none</span>
}
