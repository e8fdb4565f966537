/** Brings a database to the schema this release needs. Runs at every start. */

import { createHash } from 'node:crypto'
import type { MigrationList } from '@prisma/schema-engine-wasm/schema_engine_bg'
import type { DatabaseLocation } from '#lib/config/database-url.ts'
import { enableWriteAheadLog, takeLease } from '#lib/storage/sqlite/sqlite-lease.ts'
import { adapterFor } from './adapter.ts'
import { readMigrations } from './migration-files.ts'
import { holdMigrationLock } from './migration-lock.ts'

/**
 * Applies what is missing and returns how many that were. Idempotent, and safe when several processes start at the same time.
 * Throws a sentence for the operator when an applied migration was edited since, when one failed half-way, and when
 * the database is newer than this release.
 */
export async function migrate(location: DatabaseLocation): Promise<number> {
  const migrations = readMigrations(location.kind)
  const lock = location.kind === 'sqlite' ? takeLease(location.file) : await holdMigrationLock(location.url)
  try {
    if (location.kind === 'sqlite') enableWriteAheadLog(location.file)
    if (await isUpToDate(location, migrations)) return 0
    const { applyMissing } = await import('./schema-engine.ts')
    return await applyMissing(location, migrations)
  } finally {
    await lock.release()
  }
}

/** The question of nearly every start, answered without the schema engine, whose loading takes longer than all the rest. */
const history = `SELECT migration_name, checksum FROM _prisma_migrations
  WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL ORDER BY migration_name`
const recorded = 'SELECT COUNT(*) FROM _prisma_migrations'

/**
 * Whether the database has exactly the migrations on disk, each finished and unedited. `false` in all other cases: the
 * engine then determines the problem and reports it.
 */
export async function isUpToDate(location: DatabaseLocation, migrations: MigrationList): Promise<boolean> {
  const adapter = await adapterFor(location).connect()
  const read = async (sql: string) => (await adapter.queryRaw({ sql, args: [], argTypes: [] })).rows
  try {
    const [applied, [count]] = [await read(history), await read(recorded)]
    const expected = migrations.migrationDirectories.map(({ path, migrationFile }) => [
      path,
      checksumOf(migrationFile.content),
    ])
    return Number(count?.[0]) === expected.length && JSON.stringify(applied) === JSON.stringify(expected)
  } catch {
    // A fresh database has no such table
    return false
  } finally {
    await adapter.dispose()
  }
}

function checksumOf(
  content: MigrationList['migrationDirectories'][number]['migrationFile']['content'],
): string | null {
  return content.tag === 'ok' ? createHash('sha256').update(content.value).digest('hex') : null
}
