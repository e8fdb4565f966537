/** The audit trail alone, for whoever verifies it. Takes no lease: it cannot write, and a server may run beside it. */
import type { AuditTrail } from '#lib/ports/admin-store.ts'
import type { Meta } from '#lib/ports/configuration-store.ts'
import { openReader } from './client.ts'
import type { DatabaseLocation } from './location.ts'
import { createAuditTrail } from './prisma/audit-trail.ts'
import { createMeta } from './prisma/meta.ts'
import { requireDatabase } from './require-database.ts'

export type OpenedAuditTrail = {
  readonly audit: Pick<AuditTrail, 'read' | 'head'>
  /** What stands; where nothing does, nothing is left behind either. */
  readonly meta: Pick<Meta, 'settle'>
  readonly close: () => Promise<void>
}

/** Throws a ConfigError where there is no SQLite file, and makes none. */
export function openAuditTrail(location: DatabaseLocation): OpenedAuditTrail {
  requireDatabase(location)
  const client = openReader(location)
  const { find } = createMeta(client)
  return {
    audit: createAuditTrail(client),
    meta: { settle: async (name, value) => (await find(name)) ?? value },
    close: () => client.$disconnect(),
  }
}
