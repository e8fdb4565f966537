/** Finds out what a start of this release would do with a database, without changing it. */
import { existsSync } from 'node:fs'
import type { DatabaseLocation } from '#lib/config/database-url.ts'
import { adapterFor } from './adapter.ts'
import { missingMigrations } from './history.ts'
import { type Migration, readMigrations } from './migration-files.ts'
import { readMigrationName } from './migration-names.ts'

export type UpgradePlan = {
  /** Whether nodes of the earlier release can serve at the same time, and be started afterwards. */
  readonly isRolling: boolean
  /** The names of the migrations to apply. */
  readonly migrations: readonly string[]
}

/**
 * Reads what an upgrade to this release does; `null` for a database without tables. Throws an error with a sentence for the
 * operator if this release does not start with the database.
 */
export async function planUpgrade(
  location: DatabaseLocation,
  migrations: readonly Migration[] = readMigrations(location.kind),
): Promise<UpgradePlan | null> {
  // Connecting would create the file
  if (location.kind === 'sqlite' && !existsSync(location.file)) return null
  const adapter = await adapterFor(location).connect()
  try {
    const missing = (await missingMigrations(adapter, location, migrations)).map(({ name }) => name)
    const applied = migrations.map(({ name }) => name).filter(name => !missing.includes(name))
    return applied.length === 0 ? null : { isRolling: isRolling(missing, applied), migrations: missing }
  } finally {
    await adapter.dispose()
  }
}

/** Whether all migrations expand the database for the release that follows the one which it has. */
function isRolling(missing: readonly string[], applied: readonly string[]): boolean {
  const release = Math.max(...applied.map(name => readMigrationName(name)?.release ?? 1))
  return missing.map(readMigrationName).every(read => read?.kind === 'expand' && read.release <= release + 1)
}
