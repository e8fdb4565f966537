/**
 * Many rows by one statement with one parameter, a JSON text. NOTE: a parameter for each value costs four times what the
 * writing does, and Prisma's own `createMany` more.
 */
import { Prisma } from '#prisma/generated/sqlite/client.ts'
import type { Dialect } from '../client.ts'

type Value = string | number | null | Date

/**
 * What inserts rows into one table, whose columns bear the names of the row's members; columns without a value in the
 * row stay empty. `conflict` says what becomes of a row that is there already; a statement may touch each row once.
 */
export function insertRows<Row extends Readonly<Record<Column, Value>>, Column extends string>(
  dialect: Dialect,
  table: Prisma.ModelName,
  columns: readonly Column[],
  conflict = '',
): (rows: readonly Row[]) => Prisma.Sql {
  const [before = '', after = ''] = texts[dialect](table, columns)
  const textOf = (row: Row) => Object.fromEntries(columns.map(column => [column, written(row[column])]))
  const [into, from] = [Prisma.raw(before), Prisma.raw(`${after} ${conflict}`)]
  return rows => Prisma.sql`${into}${JSON.stringify(rows.map(textOf))}${from}`
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
