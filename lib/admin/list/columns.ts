/** The columns of a list: each is described once, for the API, for the CSV file and for the table of the dashboard. */
import { z } from 'zod'
import type { Columns } from '../csv.ts'

type Shown = {
  /** The heading in the dashboard. */
  readonly label?: string
  /** The heading in the CSV file, `true` for the name of the member. The file leaves out columns without one. */
  readonly csv?: string | true
  /** What the description of the API says of it. */
  readonly about?: string
  /** The name of the order by this column: `sort=created` in an address. */
  readonly sort?: string
}

export type ListColumn<Row> = {
  /** The value in the answers of the API. */
  readonly schema: z.ZodType
  readonly read: (row: Row) => unknown
  readonly cell: (row: Row) => string | null
  readonly isTime: boolean
  readonly label?: string
  readonly csv?: string | true
  readonly sort?: string
}

/** By the name of the member in the answers of the API. */
export type ListColumns<Row> = Readonly<Record<string, ListColumn<Row>>>

/** The names of the orders of a list. */
export type OrderIn<C> = {
  readonly [Name in keyof C]: C[Name] extends { readonly sort: infer Sort extends string } ? Sort : never
}[keyof C]

/** A row in the answers of the API. */
export type ViewOf<C> = {
  -readonly [Name in keyof C]: C[Name] extends { readonly read: (row: never) => infer Value } ? Value : never
}

/** Makers of the columns of one kind of row. */
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
  /** `on`, `off`: the words of the CSV file. */
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
    Object.entries(columns).flatMap(([name, { csv, cell }]) =>
      csv === undefined ? [] : [[csv === true ? name : csv, cell] as const],
    ),
  )
}

export function ordersOf<C extends ListColumns<never>>(columns: C): readonly OrderIn<C>[] {
  return Object.values(columns).flatMap(({ sort }) => (sort === undefined ? [] : [sort as OrderIn<C>]))
}
