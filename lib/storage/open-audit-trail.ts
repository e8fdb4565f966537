/** Opens only the audit trail, to verify it. Takes no lease: it cannot write, and a server may be running. */
import { ConfigError } from '#lib/errors/config-error.ts'
import type { AuditTrail } from '#lib/ports/admin-store.ts'
import type { Meta } from '#lib/ports/configuration-store.ts'
import { connectionProblem } from './connection-problem.ts'
import { openReadOnlyDatabase } from './database.ts'
import { findMeta } from './find-meta.ts'
import type { DatabaseLocation } from './location.ts'
import { createAuditTrail } from './prisma/administration/audit-trail.ts'
import { createMeta } from './prisma/configuration/meta.ts'
import { requireDatabase } from './require-database.ts'
import { driverKind } from './row-errors.ts'

export type OpenedAuditTrail = {
  readonly audit: Pick<AuditTrail, 'read' | 'head'>
  /** Returns the stored value, or the given one without storing it. */
  readonly meta: Pick<Meta, 'settle'>
  readonly close: () => Promise<void>
}

/** Throws a ConfigError if there is no database, or none of Latchkey; creates none. */
export async function openAuditTrail(location: DatabaseLocation): Promise<OpenedAuditTrail> {
  requireDatabase(location)
  await requireSchema(location)
  const database = openReadOnlyDatabase(location)
  const { find } = createMeta(database)
  return {
    audit: createAuditTrail(database),
    meta: { settle: async (name, value) => (await find(name)) ?? value },
    close: () => database.$disconnect(),
  }
}

async function requireSchema(location: DatabaseLocation): Promise<void> {
  try {
    await findMeta(location, '')
  } catch (error) {
    if (driverKind(error) === 'TableDoesNotExist') throw new ConfigError(noSchema)
    throw location.kind === 'postgresql' ? connectionProblem(error, location.url) : error
  }
}

const noSchema =
  'This database has no tables of Latchkey; correct DATABASE_URL or DATA_DIR, or start the server first.'
