/** The columns of a table for plain SQL: lists of columns, and conversion of rows to and from values. */
import { Prisma } from '#prisma/generated/sqlite/client.ts'
import type { Cells, Value } from './statement.ts'

type KeysOf<Row, Kind> = {
  [K in keyof Row]-?: [Exclude<Row[K], null>] extends [Kind] ? K : never
}[keyof Row]

/** The columns that a database returns in another type. The code does not compile if one is missing. */
type Converted<Row> = Readonly<Record<KeysOf<Row, Date>, 'time'> & Record<KeysOf<Row, boolean>, 'boolean'>>

/**
 * The columns of a table. NOTE: each column takes half a microsecond, so frequent reads `pick` those that they need.
 */
export type Columns<Row> = {
  /** Returns the columns for a `SELECT` from the table with this alias. */
  readonly of: (alias: string) => string
  /** Reads a row from the cells that begin at `start`; `null` if an outer join found no row. */
  readonly read: (cells: Cells, start?: number) => Row | null
  readonly width: number
}

export type Table<Row> = Columns<Row> & {
  /** An `INSERT` of a complete row; its parameters are in the order of `values`. */
  readonly insert: string
  readonly values: (row: Row) => readonly Value[]
  /** Selects some columns; the first one must not be nullable. */
  readonly pick: <Name extends keyof Row & string>(...names: readonly Name[]) => Columns<Pick<Row, Name>>
}

/** Describes a table. The first column of the model must not be nullable. */
export function table<Row extends Readonly<Record<string, Value>>>(
  model: Prisma.ModelName,
  converted: Converted<Row>,
): Table<Row> {
  const names: readonly string[] = Object.values(Prisma[`${model}ScalarFieldEnum`])
  const kinds = new Map<string, unknown>(Object.entries(converted))
  const listed = names.map(name => `"${name}"`).join(', ')
  const parameters = names.map((_, index) => `$${index + 1}`).join(', ')
  return {
    ...columns<Row>(names, kinds),
    insert: `INSERT INTO "${model}" (${listed}) VALUES (${parameters})`,
    values: row => names.map(name => row[name] ?? null),
    pick: (...chosen) => columns(chosen, kinds),
  }
}

function columns<Row>(names: readonly string[], kinds: ReadonlyMap<string, unknown>): Columns<Row> {
  const readers = names.map(name => [name, readerOf(kinds.get(name))] as const)
  return {
    of: alias => names.map(name => `${alias}."${name}"`).join(', '),
    read: (cells, start = 0) => {
      if (cells[start] === null) return null
      const row: Record<string, unknown> = {}
      let at = start
      for (const [name, reader] of readers) row[name] = reader(cells[at++] ?? null)
      // Only this code writes these rows, through the same type
      return row as Row
    },
    width: names.length,
  }
}

type Cell = Cells[number]

function readerOf(kind: unknown): (cell: Cell) => unknown {
  if (kind === 'time') return timeOf
  return kind === 'boolean' ? booleanOf : cell => cell
}

/**
 * Parses a time; `null` for a cell without text. SQLite returns text with an offset, PostgreSQL a time without one,
 * which is UTC. Throws if the server writes times in a different style: an invalid time is never in the past, so
 * nothing would expire.
 */
export function timeOf(cell: Cell): Date | null {
  if (typeof cell !== 'string') return null
  const time = new Date(cell.endsWith('+00:00') ? cell : `${cell.replace(' ', 'T')}Z`)
  if (Number.isNaN(time.getTime())) throw new TypeError('The database returned a time in an unknown format.')
  return time
}

function booleanOf(cell: Cell): boolean | null {
  return cell === null ? null : cell === true || cell === 1
}
