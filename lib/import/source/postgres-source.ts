/** Reads the tables of another server directly from its PostgreSQL database: the same rows as in its export. */
import pg from 'pg'
import { importLimits } from '#lib/config/limits.ts'
import { ConfigError } from '#lib/errors/config-error.ts'
import type { ExportRow } from './row-scanner.ts'
import { type MainTable, namesOf, plainName } from './tables.ts'

/** Whether a source is an address of a database and not a file. */
export function isPostgresAddress(source: string): boolean {
  return /^postgres(?:ql)?:\/\//.test(source)
}

const rowsAtOnce = 500

type Found = { readonly schema: string; readonly name: string }

/**
 * Reads the tables of the product in one snapshot, in a read-only transaction. Throws a ConfigError when the database
 * cannot be read, has no such tables, or has one of them in several schemas.
 */
export async function* readPostgres(url: string, tables: readonly MainTable[]): AsyncGenerator<ExportRow> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 })
  // Without a listener the process would end; a failed query reports the same error
  client.on('error', () => undefined)
  try {
    await client.connect()
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
    for (const found of await knownTables(client, tables)) yield* rowsOf(client, found)
    await client.query('COMMIT')
  } catch (error) {
    // NOTE: the message leaves out the address, which can contain a password
    if (error instanceof Error && 'code' in error)
      throw new ConfigError(`The database cannot be read: ${error.message} (${String(error.code)}).`)
    throw error
  } finally {
    await client.end().catch(() => undefined)
  }
}

async function knownTables(client: pg.Client, tables: readonly MainTable[]): Promise<readonly Found[]> {
  const wanted = new Set(tables.flatMap(main => [main, ...main.children]).flatMap(namesOf))
  const { rows } = await client.query<Found>(
    `SELECT schemaname AS schema, tablename AS name FROM pg_tables
     WHERE schemaname NOT IN ('pg_catalog', 'information_schema') ORDER BY schemaname, tablename`,
  )
  const found = rows.filter(({ name }) => wanted.has(plainName(name)))
  if (found.length === 0) throw new ConfigError('The database has no tables of this product.')
  const names = found.map(({ name }) => plainName(name))
  const twice = found.find(({ name }, index) => names.indexOf(plainName(name)) < index)
  if (twice !== undefined)
    throw new ConfigError(
      `Several schemas of the database have a table "${twice.name}": make an export instead.`,
    )
  return found
}

async function* rowsOf(client: pg.Client, { schema, name }: Found): AsyncGenerator<ExportRow> {
  const table = `${client.escapeIdentifier(schema)}.${client.escapeIdentifier(name)}`
  await client.query(`DECLARE export NO SCROLL CURSOR FOR SELECT to_json(t)::text AS row FROM ${table} t`)
  let index = 0
  for (;;) {
    const { rows } = await client.query<{ row: string }>(`FETCH ${rowsAtOnce} FROM export`)
    for (const { row } of rows) {
      yield { table: name, index, line: null, text: row.length > importLimits.rowCharacters ? null : row }
      index += 1
    }
    if (rows.length < rowsAtOnce) break
  }
  await client.query('CLOSE export')
}
