/** The audit trail alone, for whoever verifies it. Takes no lease: it writes nothing, and a server may run beside it. */
import type { AuditTrail } from '#lib/ports/admin-store.ts'
import { openClient } from './client.ts'
import type { DatabaseLocation } from './location.ts'
import { createAuditTrail } from './prisma/audit-trail.ts'

export function openAuditTrail(location: DatabaseLocation): {
  readonly audit: AuditTrail
  readonly close: () => Promise<void>
} {
  const client = openClient(location)
  return { audit: createAuditTrail(client), close: () => client.$disconnect() }
}
