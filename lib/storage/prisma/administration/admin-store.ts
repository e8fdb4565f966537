/** Everything an admin changes, in one transaction with the rows that tell of it. */
import { storage } from '#lib/config/limits.ts'
import type {
  AdminStore,
  AdminWrite,
  AuditHash,
  Change,
  Committed,
  Expected,
  HeldRole,
} from '#lib/ports/admin-store.ts'
import { isConfigurationConflict } from '#lib/ports/configuration-store.ts'
import type { Database, Tables } from '../../database.ts'
import { isDuplicate, isWriteConflict } from '../../row-errors.ts'
import { lockRevision } from '../configuration/revision.ts'
import { writeAdmin } from './admin-writes.ts'
import { countOwners } from './administrators.ts'
import { appendAudit, createAuditTrail, lockAudit } from './audit-trail.ts'

export function createAdminStore(database: Database, hash: AuditHash): AdminStore {
  return {
    commit: (change, now) => commit(database, { change, hash, now }, storage.commitTries),
    audit: createAuditTrail(database),
  }
}

type Commit = { readonly change: Change; readonly hash: AuditHash; readonly now: Date }

/** Ends the transaction with nothing written. */
class Refused extends Error {
  readonly committed: Exclude<Committed, { kind: 'done' }>

  constructor(committed: Refused['committed']) {
    super(committed.kind)
    this.committed = committed
  }
}

/** Whoever lost to other writers tries again, against what they left. */
async function commit(database: Database, parts: Commit, triesLeft: number): Promise<Committed> {
  try {
    const changed = await database.$transaction(tables => written(tables, parts), {
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

/** NOTE: the locks come first, always in this order: nobody changes what was looked at, and nobody deadlocks. */
async function written(tables: Tables, { change, hash, now }: Commit): Promise<number> {
  if (change.audit.length === 0) throw new TypeError('Nothing is changed without an audit row.')
  await lockAudit(tables)
  if (touchesConfiguration(change)) await lockRevision(tables)
  for (const held of change.roles ?? []) await requireRole(tables, held)
  for (const expected of change.expected ?? []) await requireVersion(tables, expected)
  const owners = await countOwners(tables)
  let changed = 0
  for (const write of change.writes) changed += await carriedOut(tables, write, now)
  if (owners > 0 && (await countOwners(tables)) === 0) throw new Refused({ kind: 'last_owner' })
  await appendAudit(tables, { entries: change.audit, hash, now })
  return changed
}

function touchesConfiguration({ writes, expected = [] }: Change): boolean {
  return (
    expected.length > 0 || writes.some(({ kind }) => kind === 'configuration' || kind === 'accept_invitation')
  )
}

async function carriedOut(tables: Tables, write: AdminWrite, now: Date): Promise<number> {
  const changed = await writeAdmin(tables, write, now)
  if (changed === 'gone') throw new Refused({ kind: 'gone' })
  return changed
}

async function requireRole(tables: Tables, { subject, role }: HeldRole): Promise<void> {
  const row = await tables.administrator.findUnique({ where: { subject }, select: { role: true } })
  if ((row?.role ?? null) !== role) throw new Refused({ kind: 'role_changed' })
}

async function requireVersion(tables: Tables, expected: Expected): Promise<void> {
  const row = await versioned(tables, expected)
  if ((row?.version ?? 0) !== expected.version)
    throw new Refused({ kind: 'conflict', expected, reason: null })
}

function versioned(tables: Tables, { kind, id }: Expected): Promise<{ version: number } | null> {
  switch (kind) {
    case 'client':
      return tables.client.findUnique({ where: { clientId: id }, select: { version: true } })
    case 'scope':
      return tables.scope.findUnique({ where: { name: id }, select: { version: true } })
    case 'user':
      return tables.user.findUnique({ where: { subject: id }, select: { version: true } })
    case 'provider':
      return tables.identityProvider.findUnique({ where: { scheme: id }, select: { version: true } })
  }
}
