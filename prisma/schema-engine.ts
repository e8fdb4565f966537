/** Runs Prisma's schema engine as WebAssembly, to compare schemas without a downloaded binary. */

import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import {
  bindMigrationAwareSqlAdapterFactory,
  type SqlDriverAdapter,
  type SqlMigrationAwareDriverAdapterFactory,
} from '@prisma/driver-adapter-utils'
import * as bindings from '@prisma/schema-engine-wasm/schema_engine_bg'
import type { DatabaseLocation } from '#lib/config/database-url.ts'
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
