/** Migrates a database to the schema of this release. */
import type { DatabaseLocation } from '#lib/config/database-url.ts'
import { enableWriteAheadLog, takeLease } from '#lib/storage/sqlite/sqlite-lease.ts'
import { adapterFor } from './adapter.ts'
import { applyMigration, createHistory } from './apply-migration.ts'
import { missingMigrations } from './history.ts'
import { type Migration, readMigrations } from './migration-files.ts'
import { holdMigrationLock } from './migration-lock.ts'

/**
 * Applies the missing migrations and returns their number. Idempotent, and safe if several processes start at the same
 * time. A database that the next release has expanded stays as it is. Throws an error with a sentence for the operator if an
 * applied migration was edited, if one failed, if the database is too new for this release, has tables of another program or is
 * used by another process, or if PostgreSQL cannot be used with this address and user. `whileLocked` is called at the end, before
 * another process may use the database.
 */
export async function migrate(
  location: DatabaseLocation,
  migrations: readonly Migration[] = readMigrations(location.kind),
  whileLocked: () => Promise<void> = async () => {},
): Promise<number> {
  const lock = location.kind === 'sqlite' ? takeLease(location.file) : await holdMigrationLock(location.url)
  try {
    if (location.kind === 'sqlite') enableWriteAheadLog(location.file)
    const count = await applyMissing(location, migrations)
    await whileLocked()
    return count
  } finally {
    await lock.release()
  }
}

async function applyMissing(location: DatabaseLocation, migrations: readonly Migration[]): Promise<number> {
  const adapter = await adapterFor(location).connect()
  try {
    const missing = await missingMigrations(adapter, location, migrations)
    if (missing.length > 0) await createHistory(adapter)
    for (const migration of missing) await applyMigration(adapter, migration)
    return missing.length
  } finally {
    await adapter.dispose()
  }
}
