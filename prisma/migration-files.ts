/** Reads the migrations on disk. Each database product has its own folder. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { MigrationList } from '@prisma/schema-engine-wasm/schema_engine_bg'
import type { DatabaseLocation } from '#lib/config/database-url.ts'

export function migrationsFolder(kind: DatabaseLocation['kind']): string {
  return join(import.meta.dirname, 'migrations', kind)
}

/** Returns the input of `applyMigrations`: the migrations in the order in which they are applied. */
export function readMigrations(kind: DatabaseLocation['kind']): MigrationList {
  const folder = migrationsFolder(kind)
  return {
    baseDir: folder,
    lockfile: { path: 'migration_lock.toml', content: `provider = "${kind}"\n` },
    shadowDbInitScript: '',
    migrationDirectories: readdirSync(folder)
      .toSorted()
      .map(name => ({
        path: name,
        migrationFile: {
          path: 'migration.sql',
          content: { tag: 'ok', value: readFileSync(join(folder, name, 'migration.sql'), 'utf8') },
        },
      })),
  }
}
