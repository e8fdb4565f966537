/** Defines a list of the dashboard once: the use case for the API, the CSV file, and the data of its page. */
import { z } from 'zod'
import { adminList } from '#lib/config/limits.ts'
import type { Page, PageRequest, TimeOrder } from '#lib/ports/admin-lists.ts'
import type { AdminPorts } from '../admin-ports.ts'
import { ok } from '../admin-result.ts'
import { defineExport, linesOf } from '../csv.ts'
import { nextToken, orderSchema, pageFields, pageRequest, readPages } from '../paging.ts'
import { defineUseCase, type UseCaseDefinition } from '../use-case.ts'
import {
  columnsOf,
  csvColumns,
  type ListColumns,
  type OrderIn,
  ordersOf,
  rowSchema,
  viewOf,
} from './columns.ts'
import type { Choices } from './filters.ts'

type ListRequest<Filter, By extends string> = {
  readonly filter: Filter
  readonly page: PageRequest
  /** The requested order; `null` for the default order. */
  readonly order: TimeOrder<By> | null
  readonly now: Date
}

type Permission = UseCaseDefinition<z.ZodType, unknown>['permission']

type ListDefinition<Row, C extends ListColumns<Row>, Asked, Filter> = {
  readonly name: string
  readonly permission: Permission
  readonly summary: string
  /** The path in the API. Page tokens are valid only for it. */
  readonly path: string
  readonly filter: {
    /** The schema of the filters, strict where an unknown filter must be refused. */
    readonly schema: z.ZodObject
    readonly of: (asked: Asked) => Filter
    /** The filters that the page offers, each with its values. */
    readonly choices?: Choices
  }
  readonly columns: C
  readonly read: (ports: AdminPorts, request: ListRequest<Filter, OrderIn<C>>) => Promise<Page<Row>>
}

type Sorted<By extends string> = { readonly sort?: TimeOrder<By> | null | undefined }
type Paged = { readonly after?: string | undefined; readonly limit: number }

type ListExport = {
  readonly name: string
  readonly permission: Permission
  readonly summary: string
  /** The name of the list in the audit log; `null` for a list without personal data. */
  readonly audited: string | null
}

/** The input before its validation. */
type Raw<T> = { readonly [Name in keyof T]?: unknown }

/** Functions that define a list of this kind of row, and its columns. */
export function listOf<Row>() {
  return { ...columnsOf<Row>(), define: defineList<Row>() }
}

/** NOTE: rows are sent without being parsed: one value of a newer release must not make a whole list fail. */
function defineList<Row>() {
  return <C extends ListColumns<Row>, Asked extends object, Filter extends object>(
    list: ListDefinition<Row, C, Asked, Filter>,
  ) => {
    const { name, permission, summary, path, filter, columns, read } = list
    const orders = orderSchema(ordersOf(columns))
    const filterSchema = filter.schema.extend({ sort: orders })
    type Sought = Asked & Sorted<OrderIn<C>>
    // zod has no type for an object that extends one of unknown shape
    const exportInput = filterSchema as z.ZodType as z.ZodType<Sought, Raw<Sought>>
    const input = filterSchema.extend(pageFields) as z.ZodType as z.ZodType<
      Sought & Paged,
      Raw<Sought & Paged>
    >
    const useCase = defineUseCase({
      name,
      permission,
      summary,
      input,
      output: z.object({ items: z.array(rowSchema(columns)), next: z.string().nullable() }),
      api: { method: 'GET', path: `/${path}` },
      run: async (ports, asked, { now }) => {
        const { after, limit, sort: order = null } = asked
        const wanted = filter.of(asked)
        const listed = { list: path, filter: JSON.parse(JSON.stringify({ ...wanted, order })) }
        const page = pageRequest(ports, listed, after, limit)
        const found = await read(ports, { filter: wanted, page, order, now })
        const items = found.items.map(row => viewOf(columns, row))
        return ok({ items, next: nextToken(ports, listed, found) })
      },
    })
    type Exported = Omit<ListRequest<Filter, OrderIn<C>>, 'page'>
    const readFirst = async (ports: AdminPorts, asked: Exported) => {
      const rows = await readPages(page => read(ports, { ...asked, page }), adminList.exported)
      return { noted: { filter: asked.filter }, lines: linesOf(csvColumns(columns), rows) }
    }
    return {
      columns,
      choices: filter.choices ?? {},
      useCase,
      /** Reads the query of a page's URL. If a parameter is not valid, all are ignored, which selects the whole list. */
      readQuery: (query: Readonly<Record<string, string>>) => {
        const asked = input.safeParse(query).success ? query : {}
        return { asked, filter: filter.of(input.parse(asked)) }
      },
      /** Defines the use case that exports the first rows. */
      exportAs: (definition: ListExport) =>
        defineExport({
          ...definition,
          input: exportInput,
          read: (ports, asked, { now }) =>
            readFirst(ports, { filter: filter.of(asked), order: asked.sort ?? null, now }),
        }),
      /** Reads the first rows for an export of several lists. Ignores an order that this list does not have. */
      exportedRows: (ports: AdminPorts, filter: Filter, sort: string | undefined, now: Date) =>
        readFirst(ports, { filter, order: orders.catch(undefined).parse(sort) ?? null, now }),
    }
  }
}
