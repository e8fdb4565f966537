/** Asks the schema engine what a database lacks, and applies it. */
import type {
  DiagnoseMigrationHistoryOutput,
  MigrationList,
} from '@prisma/schema-engine-wasm/schema_engine_bg'
import { ConfigError } from '#lib/errors/config-error.ts'
import type { DatabaseLocation } from '#lib/storage/database.ts'
import { everything, type SchemaEngine, withSchemaEngine } from './schema-engine.ts'

/** Returns how many migrations were applied. Throws a sentence for the operator when the history is not ours. */
export function applyMissing(location: DatabaseLocation, migrationsList: MigrationList): Promise<number> {
  return withSchemaEngine(location, async engine => {
    await refuseForeignHistory(engine, migrationsList)
    const { appliedMigrationNames } = await engine
      .applyMigrations({ migrationsList, filters: everything })
      .catch(error => refuseForeignTables(error, location))
    return appliedMigrationNames.length
  })
}

/** NOTE: the engine by itself accepts an edited migration silently. */
async function refuseForeignHistory(engine: SchemaEngine, migrationsList: MigrationList): Promise<void> {
  const found = await diagnose(engine, migrationsList)
  const problem = found === null ? null : problemIn(found)
  if (problem !== null) throw new Error(problem)
}

/** Tables, but no table of migrations (P3005). */
function refuseForeignTables(error: unknown, location: DatabaseLocation): never {
  if (codeOf(error) !== 'P3005') throw error
  throw new ConfigError(
    location.kind === 'sqlite'
      ? `The database ${location.file} has tables that are not of Latchkey; name another file in DATABASE_URL, or another folder in DATA_DIR.`
      : 'DATABASE_URL: the database has tables of another program; use a separate database for Latchkey.',
  )
}

/** `null` for a fresh database, which has no table of migrations yet (P1014). */
async function diagnose(
  engine: SchemaEngine,
  migrationsList: MigrationList,
): Promise<DiagnoseMigrationHistoryOutput | null> {
  const input = { migrationsList, optInToShadowDatabase: false, filters: everything }
  try {
    return await engine.diagnoseMigrationHistory(input)
  } catch (error) {
    if (codeOf(error) === 'P1014') return null
    throw error
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : null
}

function problemIn(found: DiagnoseMigrationHistoryOutput): string | null {
  const edited = found.editedMigrationNames.join(', ')
  if (edited !== '')
    return `The migration ${edited} was edited after it was applied to this database. Restore the file.`
  const failed = found.failedMigrationNames.join(', ')
  if (failed !== '')
    return `The migration ${failed} failed half-way on this database. Restore the backup made before it.`
  if (found.history === null || found.history.diagnostic === 'databaseIsBehind') return null
  const unknown = found.history.unpersistedMigrationNames.join(', ')
  return `The database contains migrations that this release does not know (${unknown}). Start the release that made them, or a newer one.`
}
