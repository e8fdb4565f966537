/**
 * Many rows by one statement with one parameter, a JSON text. NOTE: a parameter for each value costs four times what the
 * writing does, and Prisma's own `createMany` more.
 */
import { Prisma } from '#prisma/generated/sqlite/client.ts'
import type { Dialect } from '../client.ts'

type Written = string | number | null
type Value = Written | Date

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
  const { before, after, rowOf } = forms[dialect](table, columns)
  const [into, from] = [Prisma.raw(before), Prisma.raw(`${after} ${conflict}`)]
  const valuesOf = (row: Row) => rowOf(columns.map(column => written(row[column])))
  return rows => Prisma.sql`${into}${JSON.stringify(rows.map(valuesOf))}${from}`
}

/** The statement around its parameter, and how a row stands in that. */
type Form = {
  readonly before: string
  readonly after: string
  readonly rowOf: (values: readonly Written[]) => unknown
}

const forms: Readonly<Record<Dialect, (table: string, columns: readonly string[]) => Form>> = {
  sqlite: (table, columns) => ({
    before: `INSERT INTO "${table}" (${listed(columns)}) SELECT ${columns.map((_, index) => `value ->> ${index}`).join(', ')} FROM json_each(`,
    // SQLite takes the ON of a conflict for one of a join unless there is a condition
    after: ') WHERE true',
    rowOf: values => values,
  }),
  postgresql: (table, columns) => ({
    before: `INSERT INTO "${table}" (${listed(columns)}) SELECT ${listed(columns)} FROM json_populate_recordset(NULL::"${table}", CAST(`,
    after: ' AS json))',
    rowOf: values => Object.fromEntries(columns.map((column, index) => [column, values[index]])),
  }),
}

function listed(columns: readonly string[]): string {
  return columns.map(column => `"${column}"`).join(', ')
}

/** Times as Prisma itself writes them into SQLite, where they are compared as text. */
function written(value: Value): Written {
  return value instanceof Date ? `${value.toISOString().slice(0, -1)}+00:00` : value
}
