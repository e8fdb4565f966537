/** Compares the migrations that were applied to a database with the migrations of this release. */
import type { SqlDriverAdapter } from '@prisma/driver-adapter-utils'
import type { DatabaseLocation } from '#lib/config/database-url.ts'
import { ConfigError } from '#lib/errors/config-error.ts'
import type { Migration } from './migration-files.ts'
import { readMigrationName, releaseNumber } from './migration-names.ts'

type Recorded = { readonly name: string; readonly checksum: string; readonly isFinished: boolean }

/**
 * Returns the migrations that the database lacks. There is none if a later release has migrated it and this one works with it: all
 * migrations that this release does not know belong to it or to the next release, and are of the kind `expand`. Throws an error
 * with a sentence for the operator if the database has tables of another program, if a migration was edited or failed, or if
 * this release does not work with the database.
 */
export async function missingMigrations(
  adapter: SqlDriverAdapter,
  location: DatabaseLocation,
  migrations: readonly Migration[],
): Promise<readonly Migration[]> {
  const recorded = await readHistory(adapter, location)
  refuseEdited(recorded, migrations)
  const applied = new Set(recorded.map(({ name }) => name))
  const missing = migrations.filter(({ name }) => !applied.has(name))
  const known = new Set(migrations.map(({ name }) => name))
  const unknown = recorded.map(({ name }) => name).filter(name => !known.has(name))
  if (unknown.length > 0) refuseUnknown(unknown, missing)
  return missing
}

const tables = {
  sqlite: `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'`,
  postgresql: `SELECT tablename::text FROM pg_tables WHERE schemaname = 'public'`,
}

const history = `SELECT migration_name, checksum, finished_at IS NOT NULL FROM _prisma_migrations
  WHERE rolled_back_at IS NULL ORDER BY migration_name`

/** Reads the history. It is empty for a new database, which has no tables yet. */
async function readHistory(
  adapter: SqlDriverAdapter,
  location: DatabaseLocation,
): Promise<readonly Recorded[]> {
  const read = async (sql: string) => (await adapter.queryRaw({ sql, args: [], argTypes: [] })).rows
  const names = (await read(tables[location.kind])).map(([name]) => name)
  if (names.length === 0) return []
  if (!names.includes('_prisma_migrations')) throw new ConfigError(foreignTables(location))
  const rows = await read(history)
  return rows.map(([name, checksum, isFinished]) => ({
    name: String(name),
    checksum: String(checksum),
    isFinished: Boolean(Number(isFinished)),
  }))
}

function foreignTables(location: DatabaseLocation): string {
  return location.kind === 'sqlite'
    ? `The database ${location.file} has tables of another program; name another file in DATABASE_URL, or another folder in DATA_DIR.`
    : 'DATABASE_URL: the database has tables of another program; use a separate database for Latchkey.'
}

function refuseEdited(recorded: readonly Recorded[], migrations: readonly Migration[]): void {
  const checksums = new Map(migrations.map(({ name, checksum }) => [name, checksum]))
  const edited = recorded.find(({ name, checksum }) => (checksums.get(name) ?? checksum) !== checksum)
  if (edited !== undefined)
    throw new Error(
      `The migration ${edited.name} was edited after it was applied to this database. Restore the file.`,
    )
  const failed = recorded.find(({ isFinished }) => !isFinished)
  if (failed !== undefined)
    throw new Error(
      `The migration ${failed.name} failed half-way on this database. Restore the backup made before it.`,
    )
}

/** Refuses a database of a later release, unless this release works with it. */
function refuseUnknown(unknown: readonly string[], missing: readonly Migration[]): void {
  const read = unknown.map(readMigrationName)
  const isExpanded = read.every(migration => migration?.kind === 'expand') && missing.length === 0
  const isNext = read.every(migration => (migration?.release ?? 0) <= releaseNumber + 1)
  if (isExpanded && isNext) return
  const reason = isExpanded
    ? 'are of a release that is more than one release newer'
    : 'change tables in a way that this release does not work with'
  throw new ConfigError(
    `The database contains migrations that this release does not know (${unknown.join(', ')}), and they ${reason}. Start the release that made them, or a newer one.`,
  )
}
