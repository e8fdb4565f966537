/** Stores changes by administrators and the operator, each in one transaction with its audit rows. */
import { storage } from '#lib/config/limits.ts'
import type {
  AccountLink,
  AdminStore,
  AdminWrite,
  AuditHash,
  Change,
  Committed,
  ConfigurationWrite,
  ConfiguredKind,
  Expected,
  HeldRole,
  PutRecord,
} from '#lib/ports/admin-store.ts'
import { isConfigurationConflict } from '#lib/ports/configuration-store.ts'
import { Prisma } from '#prisma/generated/sqlite/client.ts'
import type { Database, Tables } from '../../database.ts'
import { isDuplicate, isWriteConflict, refusingWhenUnavailable } from '../../database-errors.ts'
import type { StoreContext } from '../../store.ts'
import { applyChanges, bumpRevision, lockRevision } from '../configuration/configuration.ts'
import { keyToRow } from '../configuration/signing-keys.ts'
import { consentToRow } from '../grants/consents.ts'
import { putImportedTokens } from '../grants/imported-tokens.ts'
import { unlinkAccount } from '../identity/account-links.ts'
import { endPlannedChange } from '../identity/planned-changes.ts'
import { putUser } from '../identity/put-users.ts'
import { resetFactors } from '../identity/second-factors.ts'
import { writeUserInvitations } from '../identity/user-invitations.ts'
import { deliverAgain, putDeliveries } from '../outbox.ts'
import { batchesOf, equals, type Writing } from '../rows.ts'
import { countOwners, putAdministrator, removeAdministrator } from './administrators.ts'
import { appendAudit, createAuditTrail, lockAudit } from './audit-trail.ts'
import { type Records, recordsOf } from './configured-records.ts'
import { endSelectedSessions, removeConsents, revokeGrants } from './revocations.ts'

export function createAdminStore(
  database: Database,
  { auditHash: hash, revision }: Pick<StoreContext, 'auditHash' | 'revision'>,
): AdminStore {
  return {
    commit: (change, now) =>
      commitWithRetries(
        database,
        { change, hash, now, dialect: database.dialect },
        storage.commitAttempts,
      ).finally(revision.forget),
    audit: refusingWhenUnavailable(createAuditTrail(database)),
  }
}

type Commit = Writing & { readonly change: Change; readonly hash: AuditHash }

/** Commits. After a write conflict with another transaction, retries on the new state, a limited number of times. */
async function commitWithRetries(
  database: Database,
  parts: Commit,
  attemptsLeft: number,
): Promise<Committed> {
  try {
    const changed = await database.$transaction(tables => writeAll(tables, parts), {
      timeout: parts.change.writes.some(isImport) ? storage.importMs : storage.applyConfigurationMs,
    })
    return { kind: 'done', changed }
  } catch (error) {
    if (isWriteConflict(error) && attemptsLeft > 1)
      return commitWithRetries(database, parts, attemptsLeft - 1)
    return refusalOf(error)
  }
}

function isImport({ kind }: AdminWrite): boolean {
  return kind === 'import'
}

function refusalOf(error: unknown): Committed {
  if (error instanceof Refused) return error.committed
  if (isConfigurationConflict(error)) return { kind: 'conflict', expected: null, reason: error.message }
  if (isDuplicate(error)) return { kind: 'conflict', expected: null, reason: null }
  throw error
}

/** Thrown to roll back the transaction when a write is refused. */
class Refused extends Error {
  readonly committed: Exclude<Committed, { kind: 'done' }>

  constructor(committed: Refused['committed']) {
    super(committed.kind)
    this.committed = committed
  }
}

/**
 * Writes the whole change. NOTE: the locks come first, always in this order, so that commits wait for each other and do
 * not deadlock.
 */
async function writeAll(tables: Tables, { change, hash, now, dialect }: Commit): Promise<number> {
  if (change.audit.length === 0) throw new TypeError('Nothing is changed without an audit row.')
  await lockAudit(tables)
  if (change.writes.some(touchesConfiguration)) await lockRevision(tables)
  for (const held of change.roles ?? []) await requireRole(tables, held)
  const owners = await countOwners(tables)
  let changed = 0
  for (const write of change.writes) changed += await writeAdmin(tables, write, { now, dialect })
  if (owners > 0 && (await countOwners(tables)) === 0) throw new Refused({ kind: 'last_owner' })
  await appendAudit(tables, { entries: change.audit, hash, now, dialect })
  return changed
}

async function requireRole(tables: Tables, { subject, role }: HeldRole): Promise<void> {
  const row = await tables.administrator.findUnique({ where: { subject }, select: { role: true } })
  if ((row?.role ?? null) !== role) throw new Refused({ kind: 'role_changed' })
}

/**
 * Writes one part of a change. Returns the number of changed objects. Throws `Refused` or a `ConfigurationConflict` if
 * the part must not be written.
 */
async function writeAdmin(tables: Tables, write: AdminWrite, writing: Writing): Promise<number> {
  const { now, dialect } = writing
  switch (write.kind) {
    case 'put':
    case 'remove':
      return (await writeConfigured(tables, write, now)) ? 1 : 0
    case 'import':
      return importAll(tables, write, writing)
    case 'end_sessions':
      return endSelectedSessions(tables, write.selection, now)
    case 'revoke_grants':
      return revokeGrants(tables, write.selection, now)
    case 'remove_consents':
      return removeConsents(tables, write.selection, now)
    case 'reset_factors':
      return resetFactors(tables, write, dialect)
    case 'unlink':
      return oneOrGone(await unlinkAccount(tables, write, writing))
    case 'replace_value':
      return replaceValue(tables, write, writing)
    case 'put_administrator':
      return putAdministrator(tables, write, now)
    case 'remove_administrator':
      return removeAdministrator(tables, write.subject)
    case 'put_invitation':
      await tables.adminInvitation.create({ data: { ...write.invitation } })
      return 1
    case 'remove_invitation':
      return count(tables.adminInvitation.deleteMany({ where: { digest: equals(write.digest) } }))
    case 'accept_invitation':
      return acceptInvitation(tables, write, now)
    case 'create_key':
      await tables.signingKey.create({ data: keyToRow(write.key) })
      return 1
    case 'schedule_key':
      return scheduleKey(tables, write)
    case 'remove_key':
      return count(tables.signingKey.deleteMany({ where: { kid: equals(write.kid) } }))
    case 'cancel_planned_change':
    case 'delete_account':
      return oneOrGone(await endPlannedChange(tables, write, writing))
    case 'deliver':
      return putDeliveries(tables, write.deliveries)
    case 'put_user_invitations':
      return writeUserInvitations(tables, write)
    case 'renew_user_invitation':
    case 'remove_user_invitation':
      return oneOrGone(await writeUserInvitations(tables, write))
    case 'deliver_again':
      return oneOrGone(await deliverAgain(tables, write.id, now))
  }
}

/**
 * Writes one configuration record. Returns whether anything changed. Throws `Refused` if the stored version is not the
 * expected one, or a `ConfigurationConflict` if the record contradicts others.
 */
async function writeConfigured(tables: Tables, write: ConfigurationWrite, now: Date): Promise<boolean> {
  const isChanged =
    write.kind === 'put' ? await putRecord(tables, write, now) : await removeRecord(tables, write, now)
  if (isChanged) await bumpRevision(tables)
  return isChanged
}

async function putRecord<Kind extends ConfiguredKind>(
  tables: Tables,
  { of, record, expectedVersion }: PutRecord<Kind>,
  now: Date,
): Promise<boolean> {
  const records: Records<Kind> = recordsOf[of]
  await requireVersions(tables, [{ kind: of, id: records.idOf(record), version: expectedVersion }])
  return records.put(tables, record, now)
}

async function removeRecord(
  tables: Tables,
  { of, id, expectedVersion }: RemoveRecord,
  now: Date,
): Promise<boolean> {
  await requireVersions(tables, [{ kind: of, id, version: expectedVersion }])
  return recordsOf[of].remove(tables, id, now)
}

type RemoveRecord = Extract<ConfigurationWrite, { kind: 'remove' }>

/** Throws `Refused` if a stored version differs from the expected one. */
async function requireVersions(tables: Tables, expected: readonly Expected[]): Promise<void> {
  for (const [kind, records] of Object.entries(recordsOf))
    for (const batch of batchesOf(expected.filter(one => one.kind === kind))) {
      const rows = await records.versions(
        tables,
        batch.map(({ id }) => id),
      )
      const stored = new Map(rows.map(({ id, version }) => [id, version]))
      const outdated = batch.find(({ id, version }) => (stored.get(id) ?? 0) !== version)
      if (outdated !== undefined) throw new Refused({ kind: 'conflict', expected: outdated, reason: null })
    }
}

type Import = Extract<AdminWrite, { kind: 'import' }>

async function importAll(
  tables: Tables,
  { put, expected, meta = {}, links = [], consents = [], tokens = [] }: Import,
  writing: Writing,
): Promise<number> {
  const { now } = writing
  await requireVersions(tables, expected)
  const { written } = await applyChanges(tables, { put, remove: {}, meta }, writing)
  for (const batch of batchesOf(links))
    await tables.externalLogin.createMany({ data: batch.map(link => linkToRow(link, now)) })
  for (const batch of batchesOf(consents)) await tables.consent.createMany({ data: batch.map(consentToRow) })
  return written + links.length + consents.length + (await putImportedTokens(tables, tokens, now))
}

function linkToRow({ scheme, issuer, subject: externalSubject, account }: AccountLink, now: Date) {
  return { scheme, issuer, externalSubject, subject: account, createdAt: now }
}

type KeySchedule = Extract<AdminWrite, { kind: 'schedule_key' }>

function scheduleKey(tables: Tables, { kid, retiresAt, expiresAt }: KeySchedule): Promise<number> {
  const where = { kid: equals(kid) }
  return count(tables.signingKey.updateMany({ where, data: { retiresAt, expiresAt } }))
}

/** Returns the number of changed objects. Refuses the change if there is none. */
function oneOrGone(changed: number | boolean): number {
  if (Number(changed) === 0) throw new Refused({ kind: 'gone' })
  return Number(changed)
}

type Replacement = Extract<AdminWrite, { kind: 'replace_value' }>

/** Replaces a value that may be secret: SQLite overwrites the earlier one, which would remain in free space of the file. */
async function replaceValue(
  tables: Tables,
  { name, from, to }: Replacement,
  { dialect }: Writing,
): Promise<number> {
  if (dialect === 'sqlite') await tables.$queryRaw(Prisma.sql`PRAGMA secure_delete = ON`)
  try {
    const where = { name, value: equals(from) }
    const changed = await count(tables.meta.updateMany({ where, data: { value: to } }))
    if (changed === 0) throw new Refused({ kind: 'conflict', expected: null, reason: null })
    return changed
  } finally {
    if (dialect === 'sqlite') await tables.$queryRaw(Prisma.sql`PRAGMA secure_delete = OFF`)
  }
}

/** Whether a write may change the configuration, so that other writers of it must wait. */
function touchesConfiguration({ kind }: AdminWrite): boolean {
  return ['put', 'remove', 'import', 'accept_invitation'].includes(kind)
}

type Acceptance = Extract<AdminWrite, { kind: 'accept_invitation' }>

async function acceptInvitation(
  tables: Tables,
  { digest, subject, newUser }: Acceptance,
  now: Date,
): Promise<number> {
  const where = { digest: equals(digest), expiresAt: { gt: now } }
  const invitation = await tables.adminInvitation.findFirst({ where })
  if (invitation === null || (await count(tables.adminInvitation.deleteMany({ where }))) !== 1)
    throw new Refused({ kind: 'gone' })
  if (newUser !== null) await putUser(tables, newUser, now)
  return putAdministrator(tables, { subject, role: invitation.role }, now)
}

async function count(change: Promise<{ readonly count: number }>): Promise<number> {
  return (await change).count
}
