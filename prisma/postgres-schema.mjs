/**
 * Makes the PostgreSQL schema, which is the SQLite schema with two changed lines. `generate.mjs` writes it next to the clients.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Returns the PostgreSQL schema. Throws unless each line to change occurs exactly once. @returns {string} */
export function postgresSchema() {
  return changes.reduce(change, readFileSync(join(import.meta.dirname, 'schema.prisma'), 'utf8'))
}

const changes = [
  ['"./generated/sqlite"', '"./postgres"'],
  ['provider = "sqlite"', 'provider = "postgresql"'],
]

function change(text, [from, to]) {
  if (text.split(from).length !== 2) throw new Error(`schema.prisma must contain exactly one ${from}`)
  return text.replace(from, to)
}
