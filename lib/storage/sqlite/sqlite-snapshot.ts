/** Copies a SQLite database while another process writes to it, and reads facts by which copies are compared. */
import Database from 'better-sqlite3'
import { sqliteBusyTimeoutMs } from '#lib/config/limits.ts'

/** `migrations`: the finished ones, in their order. `counts`: the number of rows of each table. `audit`: the end of the audit chain. */
export type DatabaseFacts = {
  readonly migrations: readonly string[]
  readonly counts: Readonly<Record<string, number>>
  readonly audit: { readonly seq: number; readonly hash: string } | null
}

/**
 * Writes one consistent state of a database into `target`, which must be missing or empty. All that was committed before
 * the call is in it. Writers do not wait; their write-ahead log grows until the copy is complete. NOTE: the backup API of
 * SQLite would begin again after each commit of another process.
 */
export function copyDatabaseFile(file: string, target: string): void {
  withReader(file, database => database.prepare('VACUUM INTO ?').run(target))
}

/** Returns the facts; `null` if the database has no tables of Latchkey. Throws if the file is damaged. */
export function readFacts(file: string): DatabaseFacts | null {
  return withReader(file, database => {
    if (database.pragma('integrity_check', { simple: true }) !== 'ok')
      throw new Error('The database is damaged: its integrity check failed.')
    const tables = namesIn(database, tableNames)
    if (!['_prisma_migrations', 'Meta', 'AuditHead'].every(name => tables.includes(name))) return null
    return {
      migrations: namesIn(database, finishedMigrations),
      counts: Object.fromEntries(tables.map(name => [name, countIn(database, name)])),
      audit: auditHeadIn(database),
    }
  })
}

/** Reads a value of `Meta`; `null` if no value has this name. */
export function readMetaValue(file: string, name: string): string | null {
  return withReader(file, database => {
    const value = database.prepare('SELECT "value" FROM "Meta" WHERE "name" = ?').pluck().get(name)
    return typeof value === 'string' ? value : null
  })
}

/** Whether the file contains a table or cannot be read as a database; an empty file has no table. */
export function hasContent(file: string): boolean {
  try {
    return withReader(file, database => namesIn(database, tableNames).length > 0)
  } catch {
    return true
  }
}

/** Ends the write-ahead log, so that the database is one file. No other connection may be open. */
export function endWriteAheadLog(file: string): void {
  const database = new Database(file, { timeout: sqliteBusyTimeoutMs })
  try {
    database.pragma('journal_mode = DELETE')
  } finally {
    database.close()
  }
}

function withReader<R>(file: string, read: (database: Database.Database) => R): R {
  const database = new Database(file, { readonly: true, fileMustExist: true, timeout: sqliteBusyTimeoutMs })
  try {
    return read(database)
  } finally {
    database.close()
  }
}

const tableNames = `SELECT "name" FROM sqlite_master
  WHERE "type" = 'table' AND "name" NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY "name"`
const finishedMigrations = `SELECT "migration_name" FROM "_prisma_migrations"
  WHERE "finished_at" IS NOT NULL AND "rolled_back_at" IS NULL ORDER BY "migration_name"`

function namesIn(database: Database.Database, query: string): readonly string[] {
  return database.prepare(query).pluck().all().map(String)
}

/** Counts the rows of a table. The name is from the database itself. */
function countIn(database: Database.Database, table: string): number {
  const name = table.replaceAll('"', '""')
  return Number(database.prepare(`SELECT COUNT(*) FROM "${name}"`).pluck().get())
}

function auditHeadIn(database: Database.Database): DatabaseFacts['audit'] {
  const [row] = database.prepare('SELECT "seq", "hash" FROM "AuditHead"').raw().all()
  return Array.isArray(row) ? { seq: Number(row[0]), hash: String(row[1]) } : null
}
