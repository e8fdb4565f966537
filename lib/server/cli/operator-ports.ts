import type { OperatorPorts } from '#lib/admin/access/operator.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { Storage } from '#lib/storage/open.ts'
import { type AuditLog, logAuditHead } from '../wiring/log-audit-head.ts'

type Opened = Pick<Ports, 'clock' | 'hashing' | 'random'> & {
  readonly storage: Storage
  /** Receives the end of the audit chain after each change. */
  readonly log: AuditLog
  readonly config: { readonly issuer: string; readonly refreshGraceSeconds: number }
}

/** The ports of commands by the operator; they work before the services are built. */
export function operatorPorts({ storage, clock, hashing, random, config, log }: Opened): OperatorPorts {
  const { adminInvitations, administrators, clients, meta, users } = storage
  const settings = { issuer: config.issuer, refreshGraceSeconds: config.refreshGraceSeconds }
  return {
    adminStore: logAuditHead(storage.adminStore, log),
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
