/** Reads one value of `Meta` before the database is opened. */
import { existsSync } from 'node:fs'
import { readOnlyAdapter } from './database.ts'
import type { DatabaseLocation } from './location.ts'

/**
 * `null` also where there is no SQLite file; makes none, and takes no lease. NOTE: asks the driver itself; a second
 * Prisma client would make the start longer for one row.
 */
export async function findMeta(location: DatabaseLocation, name: string): Promise<string | null> {
  if (location.kind === 'sqlite' && !existsSync(location.file)) return null
  const connection = await readOnlyAdapter(location).connect()
  try {
    const { rows } = await connection.queryRaw({
      sql: `SELECT "value" FROM "Meta" WHERE "name" = ${location.kind === 'sqlite' ? '?' : '$1'}`,
      args: [name],
      argTypes: [{ scalarType: 'string', arity: 'scalar' }],
    })
    const value = rows[0]?.[0]
    return typeof value === 'string' ? value : null
  } finally {
    await connection.dispose()
  }
}
