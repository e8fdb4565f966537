/** Applies one migration to a database, whole or not at all. */
import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { SqlDriverAdapter, SqlQueryable } from '@prisma/driver-adapter-utils'
import { storage as limits } from '#lib/config/limits.ts'
import { ConfigError } from '#lib/errors/config-error.ts'
import type { Migration } from './migration-files.ts'
import { concurrentIndexOf } from './migration-rules.ts'

/** Creates the table of applied migrations, which has the columns of Prisma's. */
export async function createHistory(adapter: SqlDriverAdapter): Promise<void> {
  const time = adapter.provider === 'sqlite' ? 'DATETIME' : 'TIMESTAMPTZ'
  await run(
    adapter,
    `CREATE TABLE IF NOT EXISTS "_prisma_migrations" (
      "id" VARCHAR(36) PRIMARY KEY NOT NULL, "checksum" VARCHAR(64) NOT NULL, "finished_at" ${time},
      "migration_name" VARCHAR(255) NOT NULL, "logs" TEXT, "rolled_back_at" ${time},
      "started_at" ${time} NOT NULL DEFAULT CURRENT_TIMESTAMP, "applied_steps_count" INTEGER NOT NULL DEFAULT 0)`,
  )
}

/**
 * Applies a migration and records it in the same transaction, so that a process that is killed leaves the database as it was
 * before or after it. Throws an error with a sentence for the operator if it fails, or if other transactions use its tables for
 * too long.
 */
export async function applyMigration(adapter: SqlDriverAdapter, migration: Migration): Promise<void> {
  const deadline = performance.now() + limits.migrationWaitMs
  while (!(await wasApplied(adapter, migration, deadline))) await delay(limits.migrationPauseMs)
}

/** Returns `false` if a table was in use, and the migration is to be tried again. */
async function wasApplied(
  adapter: SqlDriverAdapter,
  migration: Migration,
  deadline: number,
): Promise<boolean> {
  try {
    if (adapter.provider === 'sqlite') await applyOnSqlite(adapter, migration)
    else await applyOnPostgres(adapter, migration)
    return true
  } catch (error) {
    if (isLockTimeout(error) && performance.now() < deadline) return false
    if (isLockTimeout(error))
      throw new ConfigError(
        `The migration ${migration.name} waited a minute for a table that other transactions use, and changed nothing. End them, and start again.`,
      )
    throw new Error(`The migration ${migration.name} failed, and changed nothing: ${reasonOf(error)}`, {
      cause: error,
    })
  }
}

async function applyOnSqlite(adapter: SqlDriverAdapter, migration: Migration): Promise<void> {
  // Rebuilding a table turns foreign keys off, which has no effect within a transaction
  const rebuilds = migration.script.includes('PRAGMA foreign_keys=OFF')
  if (rebuilds) await run(adapter, 'PRAGMA foreign_keys = OFF')
  try {
    await inTransaction(adapter, async transaction => {
      await adapter.executeScript(migration.script)
      await run(transaction, recordOf(migration))
    })
  } finally {
    if (rebuilds) await run(adapter, 'PRAGMA foreign_keys = ON')
  }
}

async function applyOnPostgres(adapter: SqlDriverAdapter, migration: Migration): Promise<void> {
  const index = concurrentIndexOf(migration.script)
  if (index !== null) {
    await createIndex(adapter, index, migration)
    return
  }
  await inTransaction(adapter, async transaction => {
    // Requests wait behind a change of a table that waits, so it waits for a short time, and is tried again
    await run(transaction, `SET LOCAL lock_timeout = ${limits.migrationLockMs}`)
    // The time limit of requests, which a role can have for all statements
    await run(transaction, 'SET LOCAL statement_timeout = 0')
    await run(transaction, migration.script)
    await run(transaction, recordOf(migration))
  })
}

/** Creates an index while others write to its table, which PostgreSQL does in several transactions. */
async function createIndex(adapter: SqlDriverAdapter, index: string, migration: Migration): Promise<void> {
  const sql = `SELECT 1 FROM pg_index WHERE indexrelid = to_regclass('public."${index}"') AND NOT indisvalid`
  const { rows } = await adapter.queryRaw({ sql, args: [], argTypes: [] })
  // The adapter has one connection. A creation has no transaction in which a setting could be local
  await run(adapter, 'SET statement_timeout = 0')
  await run(adapter, `SET lock_timeout = ${limits.migrationWaitMs}`)
  try {
    // A process that was killed leaves an index that PostgreSQL does not use
    if (rows.length > 0) await run(adapter, `DROP INDEX CONCURRENTLY "${index}"`)
    await run(adapter, migration.script)
  } finally {
    // Ends the settings also for a pooler, which may give the connection to others
    await run(adapter, 'RESET statement_timeout').catch(() => undefined)
    await run(adapter, 'RESET lock_timeout').catch(() => undefined)
  }
  await run(adapter, recordOf(migration))
}

function recordOf({ name, checksum }: Migration): string {
  const now = new Date().toISOString().replace('Z', '+00:00')
  const values = [randomUUID(), checksum, name, now, now].map(value => `'${value}'`).join(', ')
  return `INSERT INTO "_prisma_migrations" ("id", "checksum", "migration_name", "started_at", "finished_at", "applied_steps_count")
    VALUES (${values}, 1)`
}

async function inTransaction(
  adapter: SqlDriverAdapter,
  work: (transaction: SqlQueryable) => Promise<void>,
): Promise<void> {
  const transaction = await adapter.startTransaction()
  try {
    await work(transaction)
    await run(transaction, 'COMMIT')
    await transaction.commit()
  } catch (error) {
    // A connection that was lost, and some errors of SQLite, have ended the transaction
    await run(transaction, 'ROLLBACK').catch(() => undefined)
    await transaction.rollback()
    throw error
  }
}

async function run(queryable: SqlQueryable, sql: string): Promise<void> {
  await queryable.executeRaw({ sql, args: [], argTypes: [] })
}

/** Returns the message of the database, which the driver's error has as the cause. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : null
  if (typeof cause === 'object' && cause !== null && 'originalMessage' in cause)
    return String(cause.originalMessage)
  return error instanceof Error ? error.message : String(error)
}

/** Whether a statement waited too long for a lock: PostgreSQL reports 55P03, lock_not_available. */
function isLockTimeout(error: unknown): boolean {
  return error instanceof Error && (JSON.stringify(error.cause) ?? '').includes('"55P03"')
}
