/** What housekeeping does with this process's resources. */
import { checkAudit } from '#lib/admin/overview/audit-check.ts'
import { verifyAuditChain } from '#lib/crypto/audit-chain.ts'
import { createReferenceId } from '#lib/http/reference-id.ts'
import type { Events } from '#lib/ports/events.ts'
import type { Resources } from '../wiring/resources.ts'
import type { Housekeeping } from './housekeeping.ts'

export function maintenanceTasks(
  { storage, auditHash, keyRing, clock, log }: Resources,
  events: Events,
): Housekeeping {
  const { meta, adminStore } = storage
  return {
    purge: () => storage.purge(clock.now()),
    checkAudit: () => checkAudit(meta, () => verifyAuditChain(adminStore.audit, auditHash), clock.now()),
    ensureKeys: async () => {
      for (const { kid } of await keyRing.ensureKeys()) recordKey(events, kid)
    },
    onFailure: error => log.failure(error, { chore: 'housekeeping' }),
  }
}

/** LG-01: nobody asked for it, so it has a reference of its own. */
function recordKey(events: Events, kid: string): void {
  const context = { referenceId: createReferenceId(), address: null, userAgent: null }
  const details = { change: 'scheduled', made: kid, removed: null }
  events.record({ name: 'key_changed', outcome: 'success', details }, context)
}
