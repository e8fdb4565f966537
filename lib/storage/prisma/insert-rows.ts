/**
 * Inserts many rows as one JSON text. NOTE: between the thread that serves and the one that writes a parameter for each
 * value costs four times what the writing does, and Prisma's own `createMany` more.
 */
import { isoText } from '#lib/protocol/time.ts'
import { Prisma } from '#prisma/generated/sqlite/client.ts'
import type { Dialect, Insertion } from '../database.ts'

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
): (rows: readonly Row[]) => Insertion {
  const { before, after, rowOf, each } = forms[dialect](table, columns)
  const [into, from] = [Prisma.raw(before), Prisma.raw(`${after} ${conflict}`)]
  const forEach = each === null ? null : `${each} ${conflict}`
  const valuesOf = (row: Row) => rowOf(columns.map(column => written(row[column])))
  return given => {
    const rows = JSON.stringify(given.map(valuesOf))
    return {
      whole: Prisma.sql`${into}${rows}${from}`,
      each: forEach === null ? null : { sql: forEach, rows },
    }
  }
}

/** The statement around its parameter, how a row is read from it, and the statement for a single row. */
type Form = {
  readonly before: string
  readonly after: string
  readonly rowOf: (values: readonly Written[]) => unknown
  readonly each: string | null
}

const forms: Readonly<Record<Dialect, (table: string, columns: readonly string[]) => Form>> = {
  sqlite: (table, columns) => ({
    before: `INSERT INTO "${table}" (${listed(columns)}) SELECT ${columns.map((_, index) => `value ->> ${index}`).join(', ')} FROM json_each(`,
    // SQLite takes the ON of a conflict for one of a join unless there is a condition
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

/** Times as Prisma itself writes them into SQLite, where they are compared as text. */
function written(value: Value): Written {
  return value instanceof Date ? `${isoText(value.getTime()).slice(0, -1)}+00:00` : value
}
