/** The PostgreSQL schema is the SQLite one with two lines changed. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { schemaSnapshot } from './migration-files.ts'

export const sqliteSchema = join(import.meta.dirname, 'schema.prisma')
export const postgresSchema = join(import.meta.dirname, 'postgres', 'schema.prisma')

/** What `prisma/postgres/schema.prisma` has to say. Throws when a line to change is not there. */
export function derivePostgresSchema(): string {
  const source = readFileSync(sqliteSchema, 'utf8')
  const body = source.slice(source.indexOf('generator client'))
  return `// Derived from ../schema.prisma by derive-postgres.ts; do not edit.\n\n${changes.reduce(change, body)}`
}

const changes: readonly (readonly [from: string, to: string])[] = [
  ['"./generated/sqlite"', '"../generated/postgres"'],
  ['provider = "sqlite"', 'provider = "postgresql"'],
]

function change(text: string, [from, to]: readonly [string, string]): string {
  if (text.split(from).length !== 2) throw new Error(`schema.prisma must contain exactly one ${from}`)
  return text.replace(from, to)
}

/** One sentence for each thing that fell behind; empty when nothing did. */
export function schemaDrift(): readonly string[] {
  return [
    ...(content(postgresSchema) === derivePostgresSchema()
      ? []
      : ['prisma/postgres/schema.prisma is not what prisma/schema.prisma derives to.']),
    ...(content(schemaSnapshot('sqlite')) === content(sqliteSchema)
      ? []
      : ['prisma/schema.prisma changed since the last SQLite migration.']),
    ...(content(schemaSnapshot('postgresql')) === content(postgresSchema)
      ? []
      : ['prisma/postgres/schema.prisma changed since the last PostgreSQL migration.']),
  ].map(sentence => `${sentence} Run node prisma/new-migration.ts <name>.`)
}

function content(file: string): string {
  return existsSync(file) ? readFileSync(file, 'utf8') : ''
}
