/** Fills a migrated, empty database fast: first the rows, in the order of their keys, then the indexes. */
import Database from 'better-sqlite3'
import { Prisma } from '#prisma/generated/sqlite/client.ts'
import { openDatabase, type Tables } from '../database.ts'
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

export async function fillPostgres(url: string, rows: Rows): Promise<void> {
  const database = openDatabase({ kind: 'postgresql', url })
  const hours = 7_200_000
  await database.$transaction(tables => fillTables(tables, rows), { timeout: hours })
  await database.$disconnect()
}

async function fillTables(tables: Tables, rows: Rows): Promise<void> {
  await tables.$executeRaw(Prisma.sql`SET LOCAL statement_timeout = 0`)
  await tables.$executeRaw(Prisma.sql`SET LOCAL maintenance_work_mem = '512MB'`)
  await tables.$executeRaw(Prisma.sql`SET LOCAL session_replication_role = 'replica'`)
  await tables.$executeRaw(
    Prisma.sql`CREATE TEMP TABLE "Unsorted" ON COMMIT DROP AS SELECT * FROM "SearchTerm"`,
  )
  const indexes = await postgresIndexes(tables)
  for (const { name } of indexes) await tables.$executeRaw(Prisma.raw(`DROP INDEX "${name}"`))
  for (const [table, batch] of batches(rows)) {
    const target = Prisma.raw(table === 'SearchTerm' ? '"Unsorted"' : `"${table}"`)
    const columns = Prisma.raw(quoted(Object.keys(batch[0] ?? {})))
    await tables.$executeRaw(
      Prisma.sql`INSERT INTO ${target} (${columns}) SELECT ${columns} FROM json_populate_recordset(NULL::${target}, ${JSON.stringify(batch)}::json)`,
    )
  }
  await tables.$executeRaw(
    Prisma.sql`INSERT INTO "SearchTerm" SELECT * FROM "Unsorted" ORDER BY "kind", "term", "id"`,
  )
  for (const { sql } of indexes) await tables.$executeRaw(Prisma.raw(sql))
  await tables.$executeRaw(Prisma.sql`ANALYZE`)
}

async function postgresIndexes(tables: Tables) {
  const found = await tables.$queryRaw(Prisma.sql`
    SELECT indexname AS "name", indexdef AS "sql" FROM pg_indexes
    WHERE schemaname = 'public' AND indexname NOT LIKE '%_pkey' AND tablename NOT LIKE '\\_%'`)
  return Array.isArray(found)
    ? found.map((row: unknown) => ({ name: text(row, 'name'), sql: text(row, 'sql') }))
    : []
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
