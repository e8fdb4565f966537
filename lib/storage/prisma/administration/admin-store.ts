/** Stores an admin's changes in one transaction with their audit rows. */
import { storage } from '#lib/config/limits.ts'
import type { AdminStore, AuditHash, Change, Committed, HeldRole } from '#lib/ports/admin-store.ts'
import { isConfigurationConflict } from '#lib/ports/configuration-store.ts'
import type { Database, Tables } from '../../database.ts'
import { isDuplicate, isWriteConflict } from '../../row-errors.ts'
import { Refused } from '../configuration/configuration-writes.ts'
import { lockRevision } from '../configuration/revision.ts'
import { touchesConfiguration, writeAdmin } from './admin-writes.ts'
import { countOwners } from './administrators.ts'
import { appendAudit, createAuditTrail, lockAudit } from './audit-trail.ts'

export function createAdminStore(database: Database, hash: AuditHash): AdminStore {
  return {
    commit: (change, now) => commit(database, { change, hash, now }, storage.commitTries),
    audit: createAuditTrail(database),
  }
}

type Commit = { readonly change: Change; readonly hash: AuditHash; readonly now: Date }

/** A write that conflicts with another transaction is tried again, against what that one left. */
async function commit(database: Database, parts: Commit, triesLeft: number): Promise<Committed> {
  try {
    const changed = await database.$transaction(tables => writeAll(tables, parts), {
      timeout: storage.applyConfigurationMs,
    })
    return { kind: 'done', changed }
  } catch (error) {
    if (isWriteConflict(error) && triesLeft > 1) return commit(database, parts, triesLeft - 1)
    return refusalOf(error)
  }
}

function refusalOf(error: unknown): Committed {
  if (error instanceof Refused) return error.committed
  if (isConfigurationConflict(error)) return { kind: 'conflict', expected: null, reason: error.message }
  if (isDuplicate(error)) return { kind: 'conflict', expected: null, reason: null }
  throw error
}

/** NOTE: the locks come first, always in this order: no other writer changes what is compared here, and none deadlocks. */
async function writeAll(tables: Tables, { change, hash, now }: Commit): Promise<number> {
  if (change.audit.length === 0) throw new TypeError('Nothing is changed without an audit row.')
  await lockAudit(tables)
  if (change.writes.some(touchesConfiguration)) await lockRevision(tables)
  for (const held of change.roles ?? []) await requireRole(tables, held)
  const owners = await countOwners(tables)
  let changed = 0
  for (const write of change.writes) changed += await writeAdmin(tables, write, now)
  if (owners > 0 && (await countOwners(tables)) === 0) throw new Refused({ kind: 'last_owner' })
  await appendAudit(tables, { entries: change.audit, hash, now })
  return changed
}

async function requireRole(tables: Tables, { subject, role }: HeldRole): Promise<void> {
  const row = await tables.administrator.findUnique({ where: { subject }, select: { role: true } })
  if ((row?.role ?? null) !== role) throw new Refused({ kind: 'role_changed' })
}
