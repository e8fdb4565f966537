/** The columns of a list, each described once for the API, the CSV file and the table of the dashboard. */
import { z } from 'zod'
import type { Columns } from '../csv.ts'

type Shown = {
  /** The heading of the column in the dashboard. */
  readonly label?: string
  /** The heading in the CSV file, by default the name of the member. `false`: the column is not in the file. */
  readonly csv?: string | false
  /** The description of the member in the OpenAPI document. */
  readonly about?: string
  /** The name of the order by this column, such as `created` in `sort=created`. */
  readonly sort?: string
}

export type ListColumn<Row> = {
  /** The type of the value in answers of the API. */
  readonly schema: z.ZodType
  readonly read: (row: Row) => unknown
  readonly cell: (row: Row) => string | null
  readonly isTime: boolean
  readonly label?: string
  readonly csv?: string | false
  readonly sort?: string
}

/** Columns by the name of their member in answers of the API. */
export type ListColumns<Row> = Readonly<Record<string, ListColumn<Row>>>

/** The names of the orders that a list has. */
export type OrderIn<C> = {
  readonly [Name in keyof C]: C[Name] extends { readonly sort: infer Sort extends string } ? Sort : never
}[keyof C]

/** A row in the format of the API. */
export type ViewOf<C> = {
  -readonly [Name in keyof C]: C[Name] extends { readonly read: (row: never) => infer Value } ? Value : never
}

/** Functions that make columns for one kind of row. */
export function columnsOf<Row>() {
  const column = <V, const S extends Shown>(
    schema: z.ZodType<V>,
    read: (row: Row) => NoInfer<V>,
    shown?: S,
  ) => ({
    ...(shown as S),
    schema: shown?.about === undefined ? schema : schema.describe(shown.about),
    read,
    cell: (row: Row) => textOf(read(row)),
    isTime: false,
  })
  const time = <const S extends Shown>(read: (row: Row) => Date, shown?: S) => ({
    ...column(z.string(), row => read(row).toISOString(), shown),
    isTime: true,
  })
  const timeOrNull = <const S extends Shown>(read: (row: Row) => Date | null, shown?: S) => ({
    ...column(z.string().nullable(), row => read(row)?.toISOString() ?? null, shown),
    isTime: true,
  })
  /** A column for a boolean. `on` and `off` are its words in the CSV file. */
  const flag = <const S extends Shown>(
    read: (row: Row) => boolean,
    [on, off]: readonly [on: string, off: string],
    shown?: S,
  ) => ({
    ...column(z.boolean(), read, shown),
    cell: (row: Row) => (read(row) ? on : off),
  })
  return { column, time, timeOrNull, flag }
}

function textOf(value: unknown): string | null {
  if (value === null) return null
  return Array.isArray(value) ? value.join(' ') : String(value)
}

export function rowSchema<C extends ListColumns<never>>(columns: C): z.ZodType<ViewOf<C>> {
  const shape = Object.entries(columns).map(([name, { schema }]) => [name, schema] as const)
  return z.object(Object.fromEntries(shape)) as z.ZodType as z.ZodType<ViewOf<C>>
}

export function viewOf<Row, C extends ListColumns<Row>>(columns: C, row: Row): ViewOf<C> {
  const members = Object.entries(columns).map(([name, { read }]) => [name, read(row)] as const)
  return Object.fromEntries(members) as ViewOf<C>
}

export function csvColumns<Row>(columns: ListColumns<Row>): Columns<Row> {
  return Object.fromEntries(
    Object.entries(columns).flatMap(([name, { csv = name, cell }]) =>
      csv === false ? [] : [[csv, cell] as const],
    ),
  )
}

export function ordersOf<C extends ListColumns<never>>(columns: C): readonly OrderIn<C>[] {
  return Object.values(columns).flatMap(({ sort }) => (sort === undefined ? [] : [sort as OrderIn<C>]))
}
