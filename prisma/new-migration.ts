/** Writes the next migration for both databases: `node prisma/new-migration.ts add-factors`. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DatabaseLocation } from '#lib/storage/database.ts'
import { startPostgres } from '#lib/storage/testing/postgres.ts'
import { derivePostgresSchema, postgresSchema, sqliteSchema } from './derive-postgres.ts'
import { lockFileContent, migrationsFolder, schemaSnapshot } from './migration-files.ts'
import { everything, withSchemaEngine } from './schema-engine.ts'

const name = process.argv[2] ?? ''
if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name)) {
  process.stderr.write('Usage: node prisma/new-migration.ts <name-in-lower-case>\n')
  process.exit(1)
}

const stamp = new Date().toISOString().replace(/\D/g, '').slice(0, 14)
writeFileSync(postgresSchema, derivePostgresSchema())
await write({ kind: 'sqlite', file: ':memory:' }, sqliteSchema)
const postgres = await startPostgres()
try {
  await write({ kind: 'postgresql', url: postgres.url }, postgresSchema)
} finally {
  await postgres.stop()
}
process.stdout.write('Now run: node prisma/generate.mjs\n')

async function write(location: DatabaseLocation, schemaFile: string): Promise<void> {
  const schema = readFileSync(schemaFile, 'utf8')
  const difference = await differenceTo(location, schema)
  const made = difference === null ? 'nothing changed' : writeMigration(location.kind, difference)
  process.stdout.write(`${location.kind}: ${made}\n`)
  // Last, so that a run that broke off is repeated; also where only the generated client differs
  writeFileSync(schemaSnapshot(location.kind), schema)
}

/** Returns its folder. */
function writeMigration(kind: DatabaseLocation['kind'], difference: string): string {
  const folder = join(migrationsFolder(kind), `${stamp}_${name.replaceAll('-', '_')}`)
  mkdirSync(folder, { recursive: true })
  const script = kind === 'postgresql' ? orderedByBytes(difference) : difference
  writeFileSync(join(folder, 'migration.sql'), script)
  writeFileSync(join(migrationsFolder(kind), 'migration_lock.toml'), lockFileContent(kind))
  return folder
}

/**
 * Text compares byte by byte, as it does in SQLite: ranges of ids and beginnings of words mean the same in both, and a
 * new version of the operating system's collations breaks no index.
 */
function orderedByBytes(script: string): string {
  return script.replaceAll(/(?<=" | TYPE )TEXT\b(?! COLLATE)/g, 'TEXT COLLATE "C"')
}

/** NOTE: from schema to schema; starting from the migrations does not work on PostgreSQL with this engine. */
function differenceTo(location: DatabaseLocation, schema: string): Promise<string | null> {
  const snapshot = schemaSnapshot(location.kind)
  return withSchemaEngine(location, async engine => {
    const { stdout, exitCode } = await engine.diff({
      from: existsSync(snapshot) ? datamodel(readFileSync(snapshot, 'utf8')) : { tag: 'empty' },
      to: datamodel(schema),
      script: true,
      exitCode: true,
      filters: everything,
    })
    return exitCode === 2 ? stdout : null
  })
}

function datamodel(content: string) {
  return { tag: 'schemaDatamodel' as const, files: [{ path: 'schema.prisma', content }] }
}
