/** Finds the differences between `schema.prisma` and the tables that the migrations create. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DatabaseLocation } from '#lib/config/database-url.ts'
import { migrate } from './migrate.ts'
import { postgresSchema } from './postgres-schema.mjs'
import { everything, withSchemaEngine } from './schema-engine.ts'

/**
 * The statements of the next migration for both databases; `null` if the migrations create exactly the tables of the
 * schema.
 */
export async function schemaDifference(): Promise<Readonly<Record<DatabaseLocation['kind'], string>> | null> {
  const schema = readFileSync(join(import.meta.dirname, 'schema.prisma'), 'utf8')
  const migrated = await migratedSchema(schema.slice(0, schema.indexOf('\nmodel ')))
  const sqlite = await sqlBetween(migrated, schema)
  if (sqlite === null) return null
  const script = await sqlBetween(asPostgres(migrated), postgresSchema())
  return { sqlite, postgresql: orderedByBytes(script ?? '') }
}

/** The statements that create all tables in an empty PostgreSQL database. */
export async function postgresTables(): Promise<string> {
  return orderedByBytes((await sqlBetween(null, postgresSchema())) ?? '')
}

/**
 * The models of a new SQLite database after all migrations. NOTE: the engine cannot read a PostgreSQL schema back through its
 * driver. The models of both databases are equal, which the tests on PostgreSQL check.
 */
async function migratedSchema(header: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-schema-'))
  const location = { kind: 'sqlite', file: join(folder, 'latchkey.db') } as const
  try {
    await migrate(location)
    const { schema } = await withSchemaEngine(location, engine =>
      engine.introspect({
        schema: schemaFile(header),
        baseDirectoryPath: folder,
        force: true,
        compositeTypeDepth: 0,
        namespaces: null,
      }),
    )
    // The engine reports an integer key as numbered by SQLite, whether or not the schema asks for it
    return schema.files.map(({ content }) => content.replaceAll(' @default(autoincrement())', '')).join('\n')
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function asPostgres(schema: string): string {
  return schema.replace('provider = "sqlite"', 'provider = "postgresql"')
}

/** The statements that turn one schema into another; `null` if both have the same tables. `from` is `null` for no tables. */
async function sqlBetween(from: string | null, to: string): Promise<string | null> {
  const { stdout, exitCode } = await withSchemaEngine({ kind: 'sqlite', file: ':memory:' }, engine =>
    engine.diff({
      from: from === null ? { tag: 'empty' } : { tag: 'schemaDatamodel', ...schemaFile(from) },
      to: { tag: 'schemaDatamodel', ...schemaFile(to) },
      script: true,
      exitCode: true,
      filters: everything,
    }),
  )
  return exitCode === 2 ? stdout : null
}

function schemaFile(content: string) {
  return { files: [{ path: 'schema.prisma', content }] }
}

/**
 * Makes text in PostgreSQL compare by bytes, as in SQLite: ranges of IDs and prefixes of words mean the same in both, and an
 * update of the operating system's collations does not corrupt an index.
 */
function orderedByBytes(script: string): string {
  return script.replaceAll(/(?<=" | TYPE )TEXT\b(?! COLLATE)/g, 'TEXT COLLATE "C"')
}
