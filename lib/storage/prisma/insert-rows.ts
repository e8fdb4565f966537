/**
 * Many rows by one statement with one parameter, a JSON text. NOTE: a parameter for each value costs four times what the
 * writing does, and Prisma's own `createMany` more.
 */
import { Prisma } from '#prisma/generated/sqlite/client.ts'
import type { Dialect, Tables } from '../client.ts'

type Value = string | number | null | Date

/** Columns without a value in the row stay empty. Returns how many rows were written: all of them. */
export type InsertRows<Row> = (tables: Tables, rows: readonly Row[]) => Promise<number>

/**
 * Inserts into one table, whose columns bear the names of the row's members. `conflict` says what becomes of a row that
 * is there already; a statement may touch each row once.
 */
export function insertRows<Row extends Readonly<Record<Column, Value>>, Column extends string>(
  dialect: Dialect,
  table: Prisma.ModelName,
  columns: readonly Column[],
  conflict = '',
): InsertRows<Row> {
  const [before = '', after = ''] = texts[dialect](table, columns)
  const textOf = (row: Row) => Object.fromEntries(columns.map(column => [column, written(row[column])]))
  return (tables, rows) => {
    const json = JSON.stringify(rows.map(textOf))
    return tables.$executeRaw(Prisma.sql`${Prisma.raw(before)}${json}${Prisma.raw(`${after} ${conflict}`)}`)
  }
}

const texts: Readonly<Record<Dialect, (table: string, columns: readonly string[]) => readonly string[]>> = {
  sqlite: (table, columns) => [
    `INSERT INTO "${table}" (${listed(columns)}) SELECT ${columns.map(column => `value ->> '${column}'`).join(', ')} FROM json_each(`,
    // SQLite takes the ON of a conflict for one of a join unless there is a condition
    ') WHERE true',
  ],
  postgresql: (table, columns) => [
    `INSERT INTO "${table}" (${listed(columns)}) SELECT ${listed(columns)} FROM json_populate_recordset(NULL::"${table}", CAST(`,
    ' AS json))',
  ],
}

function listed(columns: readonly string[]): string {
  return columns.map(column => `"${column}"`).join(', ')
}

/** Times as Prisma itself writes them into SQLite, where they are compared as text. */
function written(value: Value): string | number | null {
  return value instanceof Date ? value.toISOString().replace('Z', '+00:00') : value
}
