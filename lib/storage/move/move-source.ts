/** Reads all rows of a SQLite database that no process writes to, in the order of their keys. */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import Database from 'better-sqlite3'
import { z } from 'zod'
import { moves, sqliteBusyTimeoutMs } from '#lib/config/limits.ts'

/** A value as SQLite stores it. */
export type Cell = string | number | null

type Column = { readonly name: string; readonly type: string }
export type SourceTable = {
  readonly name: string
  readonly columns: readonly Column[]
  /** The columns of the primary key. */
  readonly key: readonly string[]
}

/**
 * Rows that follow each other. `rows`: a JSON array of objects; times are ISO 8601, Boolean values are `true` and `false`.
 * `last`: the key of the last row.
 */
export type Batch = { readonly count: number; readonly rows: string; readonly last: readonly Cell[] }

export type MoveSource = {
  /** The tables with data of Latchkey, each after the tables that it refers to. */
  readonly tables: readonly SourceTable[]
  /** Returns the rows after a key, or the first rows; `null` after the last row. */
  readonly batchAfter: (table: SourceTable, key: readonly Cell[] | null) => Batch | null
  readonly close: () => void
}

/** Opens a database. The caller must have its lease. */
export function openMoveSource(file: string): MoveSource {
  const database = new Database(file, { readonly: true, fileMustExist: true, timeout: sqliteBusyTimeoutMs })
  return {
    tables: inOrder(namesOf(database).map(name => describe(database, name))),
    batchAfter: (table, key) => readBatch(database, table, key),
    close: () => database.close(),
  }
}

/**
 * Returns a digest of the whole database. Returns `null` if another program reads the file, so that changes cannot be moved
 * from the write-ahead log into it.
 */
export async function digestOfSource(file: string): Promise<string | null> {
  if (!endsLog(file)) return null
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(file, { highWaterMark: moves.readBytes })) hash.update(chunk)
  return hash.digest('base64url')
}

function endsLog(file: string): boolean {
  const database = new Database(file, { fileMustExist: true, timeout: sqliteBusyTimeoutMs })
  try {
    const [result] = z
      .array(z.object({ busy: z.number() }))
      .parse(database.pragma('wal_checkpoint(TRUNCATE)'))
    return result?.busy === 0
  } finally {
    database.close()
  }
}

const tableNames = `SELECT "name" FROM sqlite_master WHERE "type" = 'table'
  AND "name" NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND "name" <> '_prisma_migrations' ORDER BY "name"`

function namesOf(database: Database.Database): readonly string[] {
  return database.prepare(tableNames).pluck().all().map(String)
}

const columnsSchema = z.array(z.object({ name: z.string(), type: z.string(), pk: z.number() }))
const referencesSchema = z.array(z.object({ table: z.string() }))

type Described = SourceTable & { readonly refersTo: readonly string[] }

function describe(database: Database.Database, name: string): Described {
  const columns = columnsSchema.parse(database.pragma(`table_info(${quoted(name)})`))
  const references = referencesSchema.parse(database.pragma(`foreign_key_list(${quoted(name)})`))
  const key = columns.filter(({ pk }) => pk > 0).toSorted((a, b) => a.pk - b.pk)
  if (key.length === 0) throw new Error(`The table ${name} has no primary key.`)
  return {
    name,
    columns,
    key: key.map(column => column.name),
    refersTo: references.map(({ table }) => table).filter(table => table !== name),
  }
}

/** Puts each table after those that it refers to. */
function inOrder(tables: readonly Described[]): readonly SourceTable[] {
  const ordered: Described[] = []
  const place = (table: Described) => {
    if (ordered.includes(table)) return
    for (const other of tables) if (table.refersTo.includes(other.name)) place(other)
    ordered.push(table)
  }
  for (const table of tables) place(table)
  return ordered
}

function readBatch(
  database: Database.Database,
  table: SourceTable,
  key: readonly Cell[] | null,
): Batch | null {
  const names = table.key.map(quoted).join(', ')
  const places = table.key.map(() => '?').join(', ')
  const from = `SELECT ${table.columns.map(({ name }) => quoted(name)).join(', ')} FROM ${quoted(table.name)}`
  const condition = key === null ? '' : `WHERE (${names}) > (${places})`
  const query = database.prepare(`${from} ${condition} ORDER BY ${names} LIMIT ${moves.rowsTogether}`)
  const rows: string[] = []
  let characters = 0
  let last: unknown = null
  for (const row of query.iterate(...(key ?? []))) {
    const text = JSON.stringify(converted(row, table))
    rows.push(text)
    characters += text.length
    last = row
    if (characters >= moves.charactersTogether) break
  }
  if (rows.length === 0) return null
  return { count: rows.length, rows: `[${rows.join(',')}]`, last: table.key.map(name => cellOf(last, name)) }
}

function cellOf(row: unknown, column: string): Cell {
  const value: unknown = typeof row === 'object' && row !== null ? Reflect.get(row, column) : undefined
  if (value === null || typeof value === 'string' || typeof value === 'number') return value
  throw new Error(`The column ${column} has a value that is neither text nor a number.`)
}

function converted(row: unknown, table: SourceTable): Readonly<Record<string, Cell | boolean>> {
  return Object.fromEntries(
    table.columns.map(({ name, type }) => {
      try {
        return [name, convertedCell(cellOf(row, name), type)]
      } catch {
        throw new Error(
          `The table ${table.name} has a value that PostgreSQL cannot store, in the column ${name}.`,
        )
      }
    }),
  )
}

function convertedCell(cell: Cell, type: string): Cell | boolean {
  if (cell === null) return null
  if (type === 'DATETIME') return new Date(cell).toISOString()
  if (type === 'BOOLEAN') return cell === 1
  if (typeof cell === 'string' && cell.includes('\0')) throw new Error('PostgreSQL stores no NUL character.')
  return cell
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
