/**
 * Values of columns, and inserting many rows. Only this code writes these rows, through the same types, so that reading
 * them brands the IDs without checking them.
 */
import type { z } from 'zod'
import { storage } from '#lib/config/limits.ts'
import type { Claims } from '#lib/protocol/claims.ts'
import type { ClientId, GrantId, ProviderScheme, ScopeName, SubjectId } from '#lib/protocol/ids.ts'
import { Prisma } from '#prisma/generated/sqlite/client.ts'
import type { Dialect, Insertion } from '../database.ts'
import { type Stored, storedValue, type Value } from '../sql/statement.ts'

export const clientId = (text: string): ClientId => text as ClientId
export const subjectId = (text: string): SubjectId => text as SubjectId
export const grantId = (text: string): GrantId => text as GrantId
export const scopeName = (text: string): ScopeName => text as ScopeName
export const providerScheme = (text: string): ProviderScheme => text as ProviderScheme

type Plain<T> = {
  [K in keyof T]: Exclude<T[K], null> extends z.$brand ? string | Extract<T[K], null> : T[K]
}

/** Returns a row with branded IDs. */
export function branded<T>(row: Plain<T>): T {
  return row as unknown as T
}

type WithTexts<T, Name extends keyof T> = {
  [K in keyof T]: K extends Name ? string | Extract<T[K], null> : T[K]
}

/** Creates functions that convert a `T` to a row and back; the named fields are JSON texts in the row. */
export function jsonColumns<T extends object, Name extends keyof T>(...names: readonly Name[]) {
  const converted = (fields: object, convert: (field: unknown) => unknown) => {
    const changed: Record<PropertyKey, unknown> = { ...fields }
    for (const name of names) changed[name] = convert(changed[name])
    return changed
  }
  return {
    toRow: (value: T) => converted(value, toJson) as WithTexts<T, Name>,
    fromRow: (row: Plain<WithTexts<T, Name>>) => converted(row, fromJson) as unknown as T,
  }
}

function toJson(field: unknown): string | null {
  return field === null ? null : JSON.stringify(field)
}

function fromJson(text: unknown): unknown {
  return typeof text === 'string' ? JSON.parse(text) : null
}

export function claims(text: string): Claims {
  return JSON.parse(text)
}

export function parseStringList(text: string): readonly string[] {
  return JSON.parse(text)
}

/**
 * FW-03: builds an explicit equality. Throws a TypeError for a value that is not a string. With a bare value, an object
 * such as `{ contains: '' }` would become a filter, and `null` would find every row without a value.
 */
export function equals(value: string): { readonly equals: string } {
  if (typeof value !== 'string') throw new TypeError('A look-up needs a string.')
  return { equals: value }
}

/** Whether a write changed its one row: true for at most one of several concurrent callers. */
export async function changesOne(write: Promise<{ readonly count: number }>): Promise<boolean> {
  return (await write).count === 1
}

/** Splits rows into batches that one statement writes. */
export function batchesOf<T>(rows: readonly T[]): readonly (readonly T[])[] {
  const count = Math.ceil(rows.length / storage.batchedRows)
  return Array.from({ length: count }, (_, index) =>
    rows.slice(index * storage.batchedRows, (index + 1) * storage.batchedRows),
  )
}

/**
 * Returns a function that makes the insertion of many rows of one table as one JSON text; members of a given row have
 * the names of the columns. `conflict`: the clause for rows that already exist; a statement may change each row only
 * once. NOTE: passing a parameter for each value to the writer thread of SQLite takes four times as long as writing
 * them, and Prisma's `createMany` takes longer.
 */
export function insertRows<Row extends Readonly<Record<string, Value>>>(
  dialect: Dialect,
  table: Prisma.ModelName,
  conflict = '',
): (rows: readonly Row[]) => Insertion {
  const columns: readonly string[] = Object.values(Prisma[`${table}ScalarFieldEnum`])
  const { before, after, rowOf, each } = forms[dialect](table, columns)
  const [into, from] = [Prisma.raw(before), Prisma.raw(`${after} ${conflict}`)]
  const forEach = each === null ? null : `${each} ${conflict}`
  const valuesOf = (row: Row) => rowOf(columns.map(column => storedValue(row[column] ?? null)))
  return given => {
    const rows = JSON.stringify(given.map(valuesOf))
    return {
      whole: Prisma.sql`${into}${rows}${from}`,
      each: forEach === null ? null : { sql: forEach, rows },
    }
  }
}

/** The time of a write, and the dialect of its SQL. */
export type Writing = { readonly now: Date; readonly dialect: Dialect }

/** Creates an insertion for each dialect, for functions that get the dialect only with the transaction. */
export function insertByDialect<Row extends Readonly<Record<keyof Row, Value>>>(
  table: Prisma.ModelName,
): Readonly<Record<Dialect, (rows: readonly Row[]) => Insertion>> {
  return { sqlite: insertRows('sqlite', table), postgresql: insertRows('postgresql', table) }
}

/**
 * The SQL of one dialect: the text before and after the parameter, the JSON value of a row in the parameter, and the
 * statement for a single row; `null` where rows are always inserted together.
 */
type Form = {
  readonly before: string
  readonly after: string
  readonly rowOf: (values: readonly Stored[]) => unknown
  readonly each: string | null
}

const forms: Readonly<Record<Dialect, (table: string, columns: readonly string[]) => Form>> = {
  sqlite: (table, columns) => ({
    before: `INSERT INTO "${table}" (${listed(columns)}) SELECT ${columns.map((_, index) => `value ->> ${index}`).join(', ')} FROM json_each(`,
    // Without a condition, SQLite parses the ON of a conflict clause as that of a join
    after: ') WHERE true',
    rowOf: values => values,
    each: `INSERT INTO "${table}" (${listed(columns)}) VALUES (${columns.map(() => '?').join(', ')})`,
  }),
  postgresql: (table, columns) => ({
    before: `INSERT INTO "${table}" (${listed(columns)}) SELECT ${listed(columns)} FROM json_populate_recordset(NULL::"${table}", CAST(`,
    after: ' AS json))',
    rowOf: values => Object.fromEntries(columns.map((column, index) => [column, values[index]])),
    each: null,
  }),
}

function listed(columns: readonly string[]): string {
  return columns.map(column => `"${column}"`).join(', ')
}

/** Sorts the rows in the order of `ids`; deleted rows are left out. */
export function inOrderOf<T>(
  ids: readonly string[],
  rows: readonly T[],
  idOf: (row: T) => string,
): readonly T[] {
  const byId = new Map(rows.map(row => [idOf(row), row]))
  return ids.flatMap(id => byId.get(id) ?? [])
}
