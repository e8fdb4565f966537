/** Reads the audit trail, the signing keys, or one value, of an existing database. Takes no lease: a server may be running. */

import { existsSync } from 'node:fs'
import type { DatabaseLocation } from '#lib/config/database-url.ts'
import { ConfigError } from '#lib/errors/config-error.ts'
import type { AuditTrail } from '#lib/ports/admin-store.ts'
import type { Meta } from '#lib/ports/configuration-store.ts'
import type { SigningKeys } from '#lib/ports/signing-keys.ts'
import { openReadOnlyDatabase, readOnlyAdapter } from './database.ts'
import { connectionProblem, driverKind } from './database-errors.ts'
import { openPastPooler, type PoolSettings } from './postgres-pool.ts'
import { createAuditTrail } from './prisma/administration/audit-trail.ts'
import { createMeta } from './prisma/configuration/meta.ts'
import { allSigningKeys } from './prisma/configuration/signing-keys.ts'

type OpenedAuditTrail = {
  readonly audit: Pick<AuditTrail, 'read' | 'head'>
  /** `settle` returns the stored value or, if no value is stored, the given value without storing it. */
  readonly meta: Pick<Meta, 'find' | 'settle'>
  readonly signingKeys: Pick<SigningKeys, 'all'>
  readonly close: () => Promise<void>
}

/**
 * Opens the audit trail of an existing database and does not create one. Throws a ConfigError if there is no database,
 * if it has no tables of Latchkey, or if PostgreSQL does not accept the connection.
 */
export async function openAuditTrail(location: DatabaseLocation): Promise<OpenedAuditTrail> {
  requireDatabase(location)
  const database = await openPastPooler(async settings => {
    await requireSchema(location, settings)
    return openReadOnlyDatabase(location, settings)
  })
  const { find } = createMeta(database)
  return {
    audit: createAuditTrail(database),
    meta: { find, settle: async (name, value) => (await find(name)) ?? value },
    signingKeys: { all: () => allSigningKeys(database) },
    close: () => database.$disconnect(),
  }
}

async function requireSchema(location: DatabaseLocation, settings: PoolSettings): Promise<void> {
  try {
    await readMeta(location, settings, '')
  } catch (error) {
    if (driverKind(error) === 'TableDoesNotExist') throw new ConfigError(noSchema)
    throw location.kind === 'postgresql' ? connectionProblem(error, location.url) : error
  }
}

const noSchema =
  'This database has no tables of Latchkey; correct DATABASE_URL or DATA_DIR, or start the server first.'

/**
 * Refuses a missing SQLite file, for commands on existing data: a wrong folder must not look like a new installation.
 * Throws a ConfigError.
 */
export function requireDatabase(location: DatabaseLocation): void {
  if (location.kind !== 'sqlite' || existsSync(location.file)) return
  throw new ConfigError(
    `There is no database at ${location.file}; correct DATABASE_URL or DATA_DIR, or start the server first.`,
  )
}

/**
 * Reads one value before the database is opened. Returns `null` if there is no value or no SQLite file; creates no file
 * and takes no lease. NOTE: uses the driver directly; a second Prisma client would slow down the start for one row.
 */
export async function findMeta(location: DatabaseLocation, name: string): Promise<string | null> {
  if (location.kind === 'sqlite' && !existsSync(location.file)) return null
  return openPastPooler(settings => readMeta(location, settings, name))
}

async function readMeta(
  location: DatabaseLocation,
  settings: PoolSettings,
  name: string,
): Promise<string | null> {
  const connection = await readOnlyAdapter(location, settings).connect()
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
