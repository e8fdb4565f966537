/** Fills a migrated, empty database fast: first the rows, then the indexes. */
import Database from 'better-sqlite3'
import pg from 'pg'
import { storedValue, type Value } from '../sql/statement.ts'

export type Row = Readonly<Record<string, Value>>
/** Rows, each with the name of its table. */
export type Rows = Iterable<readonly [table: string, row: Row]>

const batchRows = 5000

export function fillSqlite(file: string, rows: Rows): void {
  const database = new Database(file)
  database.exec('PRAGMA synchronous = OFF; PRAGMA cache_size = -1000000; PRAGMA foreign_keys = OFF')
  const indexes = database
    .prepare(`SELECT "name", "sql" FROM sqlite_master WHERE "type" = 'index' AND "sql" IS NOT NULL`)
    .all()
    .map(index => ({ name: text(index, 'name'), sql: text(index, 'sql') }))
  for (const { name } of indexes) database.exec(`DROP INDEX "${name}"`)
  database.exec('CREATE TEMP TABLE "Unsorted" AS SELECT * FROM "SearchTerm"')
  for (const [table, batch] of batches(rows)) {
    const target = table === 'SearchTerm' ? 'Unsorted' : table
    const columns = Object.keys(batch[0] ?? {})
    const insert = database.prepare(
      `INSERT INTO "${target}" (${quoted(columns)}) VALUES (${columns.map(() => '?').join()})`,
    )
    database.transaction(() => {
      for (const row of batch) insert.run(columns.map(column => storedValue(row[column] ?? null)))
    })()
  }
  database.exec('INSERT INTO "SearchTerm" SELECT * FROM "Unsorted" ORDER BY "kind", "term", "id"')
  for (const { sql } of indexes) database.exec(sql)
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  database.close()
}

/** NOTE: connects without `openDatabase`, which ends a connection that is silent while a large index is built. */
export async function fillPostgres(url: string, rows: Rows): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query('BEGIN')
  await fillTables(client, rows)
  await client.query('COMMIT')
  await client.end()
}

async function fillTables(client: pg.Client, rows: Rows): Promise<void> {
  await client.query(`SET LOCAL maintenance_work_mem = '512MB'`)
  await client.query(`SET LOCAL session_replication_role = 'replica'`)
  await client.query('CREATE TEMP TABLE "Unsorted" ON COMMIT DROP AS SELECT * FROM "SearchTerm"')
  const { rows: found } = await client.query(`
    SELECT indexname AS "name", indexdef AS "sql" FROM pg_indexes
    WHERE schemaname = 'public' AND indexname NOT LIKE '%_pkey' AND tablename NOT LIKE '\\_%'`)
  const indexes = found.map((row: unknown) => ({ name: text(row, 'name'), sql: text(row, 'sql') }))
  for (const { name } of indexes) await client.query(`DROP INDEX "${name}"`)
  for (const [table, batch] of batches(rows)) {
    const target = table === 'SearchTerm' ? '"Unsorted"' : `"${table}"`
    const columns = quoted(Object.keys(batch[0] ?? {}))
    await client.query(
      `INSERT INTO ${target} (${columns}) SELECT ${columns} FROM json_populate_recordset(NULL::${target}, $1::json)`,
      [JSON.stringify(batch)],
    )
  }
  await client.query('INSERT INTO "SearchTerm" SELECT * FROM "Unsorted" ORDER BY "kind", "term", "id"')
  for (const { sql } of indexes) await client.query(sql)
  await client.query('ANALYZE')
}

/** Groups the rows into batches of one table each. */
function* batches(rows: Rows): Iterable<readonly [table: string, batch: readonly Row[]]> {
  const waiting = new Map<string, Row[]>()
  for (const [table, row] of rows) {
    const batch = waiting.get(table) ?? []
    waiting.set(table, batch)
    if (batch.push(row) < batchRows) continue
    yield [table, batch]
    waiting.delete(table)
  }
  yield* waiting
}

function quoted(columns: readonly string[]): string {
  return columns.map(column => `"${column}"`).join(', ')
}

function text(row: unknown, column: string): string {
  const value: unknown = typeof row === 'object' && row !== null ? Reflect.get(row, column) : null
  if (typeof value !== 'string') throw new TypeError(`no text in ${column}`)
  return value
}
