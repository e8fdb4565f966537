/** Brings a database to the schema this release needs. Runs at every start. */
import type { DatabaseLocation } from '#lib/storage/database.ts'
import { takeLease } from '#lib/storage/sqlite/sqlite-lease.ts'
import { isUpToDate } from './is-up-to-date.ts'
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
    if (await isUpToDate(location, migrations)) return 0
    const { applyMissing } = await import('./apply-missing.ts')
    return await applyMissing(location, migrations)
  } finally {
    await lock.release()
  }
}
