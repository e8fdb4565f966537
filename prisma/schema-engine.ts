/** Runs Prisma's schema engine as WebAssembly: migrations without a downloaded binary. */

import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import {
  bindMigrationAwareSqlAdapterFactory,
  type SqlDriverAdapter,
  type SqlMigrationAwareDriverAdapterFactory,
} from '@prisma/driver-adapter-utils'
import type {
  DiagnoseMigrationHistoryOutput,
  MigrationList,
} from '@prisma/schema-engine-wasm/schema_engine_bg'
import * as bindings from '@prisma/schema-engine-wasm/schema_engine_bg'
import type { DatabaseLocation } from '#lib/config/database-url.ts'
import { ConfigError } from '#lib/errors/config-error.ts'
import { adapterFor } from './adapter.ts'

type SchemaEngine = bindings.SchemaEngine
export const everything: bindings.SchemaFilter = { externalTables: [], externalEnums: [] }

/** Connects to the database, calls `use` with the engine, and closes the connection. */
export async function withSchemaEngine<T>(
  location: DatabaseLocation,
  use: (engine: SchemaEngine) => Promise<T>,
): Promise<T> {
  await loaded()
  const opened: SqlDriverAdapter[] = []
  const factory = bindMigrationAwareSqlAdapterFactory(remembering(adapterFor(location), opened))
  const engine = await bindings.SchemaEngine.new({ datamodels: undefined }, () => undefined, factory)
  try {
    return await use(engine)
  } finally {
    engine.free()
    // NOTE: the engine leaves its connections open, and on SQLite these keep an exclusive lock
    await Promise.all(opened.map(adapter => adapter.dispose()))
  }
}

function remembering(
  factory: SqlMigrationAwareDriverAdapterFactory,
  opened: SqlDriverAdapter[],
): SqlMigrationAwareDriverAdapterFactory {
  const remember = async (adapter: SqlDriverAdapter) => {
    opened.push(adapter)
    if (adapter.provider === 'sqlite') quoteNamesAsText(adapter)
    return adapter
  }
  return {
    provider: factory.provider,
    adapterName: factory.adapterName,
    connect: async () => remember(await factory.connect()),
    connectToShadowDb: async () => remember(await factory.connectToShadowDb()),
  }
}

/**
 * Replaces a double-quoted name by a string literal. NOTE: in a query about a partial index the engine puts the name in double
 * quotes, which the SQLite of better-sqlite3 reads as a column only.
 */
function quoteNamesAsText(adapter: SqlDriverAdapter): void {
  const query = adapter.queryRaw.bind(adapter)
  adapter.queryRaw = ({ sql, ...given }) =>
    query({ ...given, sql: sql.replace(/(?<= FROM sqlite_master .* name = )"(\w+)"/, "'$1'") })
}

let loading: Promise<void> | null = null

function loaded(): Promise<void> {
  loading ??= load()
  return loading
}

async function load(): Promise<void> {
  const script = createRequire(import.meta.url).resolve('@prisma/schema-engine-wasm/schema_engine_bg')
  const bytes = await readFile(join(script, '..', 'schema_engine_bg.wasm'))
  const { instance } = await WebAssembly.instantiate(bytes, { './schema_engine_bg.js': imports() })
  bindings.__wbg_set_wasm(instance.exports)
  const start = instance.exports.__wbindgen_start
  if (typeof start === 'function') start()
}

/** The imports of the engine. NOTE: it leaves a timer of ten seconds behind, which must not keep a process alive. */
function imports(): WebAssembly.ModuleImports {
  const background = (callback: () => void, milliseconds: number) =>
    setTimeout(callback, milliseconds).unref()
  const timers = Object.keys(bindings).filter(name => name.startsWith('__wbg_setTimeout_'))
  return { ...bindings, ...Object.fromEntries(timers.map(name => [name, background])) }
}

/**
 * Applies migrations and returns their number. Throws an error with a sentence for the operator if the database has
 * unknown, edited or failed migrations, or tables of another program.
 */
export function applyMissing(location: DatabaseLocation, migrationsList: MigrationList): Promise<number> {
  return withSchemaEngine(location, async engine => {
    await refuseForeignHistory(engine, migrationsList)
    const { appliedMigrationNames } = await engine
      .applyMigrations({ migrationsList, filters: everything })
      .catch(error => refuseForeignTables(error, location))
    return appliedMigrationNames.length
  })
}

/**
 * Refuses a history with unknown, edited or failed migrations. NOTE: the engine itself accepts an edited migration
 * silently.
 */
async function refuseForeignHistory(engine: SchemaEngine, migrationsList: MigrationList): Promise<void> {
  const found = await diagnose(engine, migrationsList)
  const problem = found === null ? null : problemIn(found)
  if (problem !== null) throw new Error(problem)
}

/** Refuses a database that has tables but no migration table (P3005). Rethrows other errors. */
function refuseForeignTables(error: unknown, location: DatabaseLocation): never {
  if (codeOf(error) !== 'P3005') throw error
  throw new ConfigError(
    location.kind === 'sqlite'
      ? `The database ${location.file} has tables of another program; name another file in DATABASE_URL, or another folder in DATA_DIR.`
      : 'DATABASE_URL: the database has tables of another program; use a separate database for Latchkey.',
  )
}

/** Compares the history with the migrations on disk; `null` for a new database, which has no migration table yet (P1014). */
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
