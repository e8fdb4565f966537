/** Reads the state of the database, the keys, the purge, the audit log, mail and passkeys. */
import { attention as limits } from '#lib/config/limits.ts'
import type { DatabaseState } from '#lib/ports/administration.ts'
import type { FailedDeliveries } from '#lib/ports/outbox.ts'
import type { StoredSigningKey } from '#lib/ports/signing-keys.ts'
import { secondsAfter } from '#lib/protocol/time.ts'
import type { AdminPorts } from '../admin-ports.ts'
import { type Rotation, rotations } from '../keys/key-view.ts'
import { type AuditCheck, readAuditCheck } from './audit-check.ts'

export type Health = {
  readonly database: DatabaseState & { readonly answeredMs: number }
  readonly keys: readonly StoredSigningKey[]
  readonly rotations: readonly Rotation[]
  readonly purge: { readonly at: Date | null; readonly isOverdue: boolean }
  readonly mail: FailedDeliveries & { readonly service: AdminPorts['mail'] }
  readonly passkeys: { readonly domain: AdminPorts['settings']['relyingParty']; readonly count: number }
  readonly audit: { readonly check: AuditCheck | null; readonly changes: number; readonly isOverdue: boolean }
}

type HealthPorts = Pick<
  AdminPorts,
  'databaseStatus' | 'signingKeys' | 'meta' | 'adminStore' | 'outbox' | 'mail' | 'passkeys' | 'settings'
>

export async function readHealth(ports: HealthPorts, now: Date): Promise<Health> {
  const started = performance.now()
  const at = await ports.databaseStatus.purgedAt()
  const answeredMs = performance.now() - started
  const [database, keys, check, head, failedMail, passkeys] = await Promise.all([
    ports.databaseStatus.database(),
    ports.signingKeys.all(),
    readAuditCheck(ports.meta),
    ports.adminStore.audit.head(),
    ports.outbox.countFailed(secondsAfter(now, -limits.givenUpSeconds)),
    ports.passkeys.count(),
  ])
  // Nothing is overdue on a server that has just started
  const isLate = (last: Date | null, seconds: number) => {
    const since = Math.max(last?.getTime() ?? 0, ports.databaseStatus.openedAt.getTime())
    return now.getTime() - since > seconds * 1000
  }
  const changes = head?.seq ?? 0
  return {
    database: { ...database, answeredMs },
    keys,
    rotations: rotations(keys, now),
    mail: { service: ports.mail, ...failedMail },
    passkeys: { domain: ports.settings.relyingParty, count: passkeys },
    purge: { at, isOverdue: isLate(at, limits.purgeLateSeconds) },
    audit: { check, changes, isOverdue: changes > 0 && isLate(check?.at ?? null, limits.auditLateSeconds) },
  }
}
