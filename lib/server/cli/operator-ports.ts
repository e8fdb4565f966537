import type { OperatorPorts } from '#lib/admin/access/operator.ts'
import { type AuditNotes, notingAudit } from '../noting-audit.ts'
import type { Resources } from '../resources.ts'

type Opened = Pick<Resources, 'storage' | 'clock' | 'hashing' | 'random'> & {
  /** Hears of the end of the audit trail after each change. */
  readonly log: AuditNotes
  readonly config: { readonly issuer: string; readonly refreshGraceSeconds: number }
}

/** What the operator's own acts need, also before the services are there. */
export function operatorPorts({ storage, clock, hashing, random, config, log }: Opened): OperatorPorts {
  const { adminInvitations, administrators, clients, meta, users } = storage
  const settings = { issuer: config.issuer, refreshGraceSeconds: config.refreshGraceSeconds }
  return {
    adminStore: notingAudit(storage.adminStore, log),
    adminInvitations,
    administrators,
    clients,
    meta,
    users,
    clock,
    hashing,
    random,
    settings,
  }
}
