/** Migrates a database to the schema of this release. */

import { createHash } from 'node:crypto'
import type { MigrationList } from '@prisma/schema-engine-wasm/schema_engine_bg'
import type { DatabaseLocation } from '#lib/config/database-url.ts'
import { enableWriteAheadLog, takeLease } from '#lib/storage/sqlite/sqlite-lease.ts'
import { adapterFor } from './adapter.ts'
import { readMigrations } from './migration-files.ts'
import { holdMigrationLock } from './migration-lock.ts'

/**
 * Applies the missing migrations and returns their number. Idempotent, and safe if several processes start at the same
 * time. Throws an error with a sentence for the operator if an applied migration was edited, if one failed, if the
 * database is newer than this release, has tables of another program or is used by another process, or if PostgreSQL
 * cannot be used with this address and user.
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

/**
 * Lists the finished migrations. Nearly every start needs only this query and `recorded`, and not the schema engine,
 * which takes longer to load than everything else.
 */
const history = `SELECT migration_name, checksum FROM _prisma_migrations
  WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL ORDER BY migration_name`
const recorded = 'SELECT COUNT(*) FROM _prisma_migrations'

/**
 * Whether the database has exactly the migrations on disk, each finished and unedited. If not, the engine applies the
 * missing ones, or reports the difference.
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
    // A new database has no such table; other errors are reported by the engine
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
