/** Reads the migrations on disk. Each database product has its own folder. */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DatabaseLocation } from '#lib/config/database-url.ts'

/** `checksum`: the checksum of the script, which detects an edited migration. */
export type Migration = { readonly name: string; readonly script: string; readonly checksum: string }

export function migrationsFolder(kind: DatabaseLocation['kind']): string {
  return join(import.meta.dirname, 'migrations', kind)
}

/** Returns the migrations in the order in which they are applied. */
export function readMigrations(kind: DatabaseLocation['kind']): readonly Migration[] {
  const folder = migrationsFolder(kind)
  return readdirSync(folder)
    .toSorted()
    .map(name => migrationOf(name, readFileSync(join(folder, name, 'migration.sql'), 'utf8')))
}

export function migrationOf(name: string, script: string): Migration {
  return { name, script, checksum: createHash('sha256').update(script).digest('hex') }
}
