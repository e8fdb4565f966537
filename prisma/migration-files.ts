/** The migrations on disk, one folder for each database product. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { MigrationList } from '@prisma/schema-engine-wasm/schema_engine_bg'
import type { DatabaseLocation } from '#lib/storage/database.ts'

type DatabaseKind = DatabaseLocation['kind']

export function migrationsFolder(kind: DatabaseKind): string {
  return kind === 'sqlite'
    ? join(import.meta.dirname, 'migrations')
    : join(import.meta.dirname, 'postgres', 'migrations')
}

/** The schema of the last migration. */
export function schemaSnapshot(kind: DatabaseKind): string {
  return join(migrationsFolder(kind), 'schema.prisma')
}

/** Everything `applyMigrations` wants to know, in the order of application. */
export function readMigrations(kind: DatabaseKind): MigrationList {
  const folder = migrationsFolder(kind)
  return {
    baseDir: folder,
    lockfile: { path: 'migration_lock.toml', content: lockFileContent(kind) },
    shadowDbInitScript: '',
    migrationDirectories: migrationNames(folder).map(name => ({
      path: name,
      migrationFile: {
        path: 'migration.sql',
        content: { tag: 'ok', value: readFileSync(join(folder, name, 'migration.sql'), 'utf8') },
      },
    })),
  }
}

export function lockFileContent(kind: DatabaseKind): string {
  return `# Written by Latchkey; Prisma reads it too.\nprovider = "${kind}"\n`
}

function migrationNames(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter(entry => entry.isDirectory())
    .map(entry => entry.name)
    .sort()
}
