/** The PostgreSQL schema is the SQLite one with two lines changed. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

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
