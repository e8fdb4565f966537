/** Stores an admin's changes in one transaction with their audit rows. */
import { storage } from '#lib/config/limits.ts'
import type {
  AccountLink,
  AdminStore,
  AdminWrite,
  AuditHash,
  Change,
  Committed,
  EndSelection,
  HeldRole,
} from '#lib/ports/admin-store.ts'
import { isConfigurationConflict } from '#lib/ports/configuration-store.ts'
import type { Database, Tables } from '../../database.ts'
import { isDuplicate, isWriteConflict, refusingWhenUnavailable } from '../../database-errors.ts'
import type { StoreContext } from '../../store.ts'
import {
  applyChanges,
  lockRevision,
  Refused,
  requireVersions,
  writeConfigured,
} from '../configuration/configuration.ts'
import { keyToRow } from '../configuration/signing-keys.ts'
import { consentToRow } from '../grants/grants.ts'
import { putImportedTokens } from '../grants/imported-tokens.ts'
import { markOwnTokens } from '../grants/revocation.ts'
import { putUser } from '../identity/users.ts'
import { batchesOf, equals, type Writing } from '../rows.ts'
import { countOwners, removeAdministrator } from './administrators.ts'
import { appendAudit, createAuditTrail, lockAudit } from './audit-trail.ts'

export function createAdminStore(
  database: Database,
  { auditHash: hash, revision }: Pick<StoreContext, 'auditHash' | 'revision'>,
): AdminStore {
  return {
    commit: (change, now) =>
      commit(database, { change, hash, now, dialect: database.dialect }, storage.commitTries).finally(
        revision.forget,
      ),
    audit: refusingWhenUnavailable(createAuditTrail(database)),
  }
}

type Commit = Writing & { readonly change: Change; readonly hash: AuditHash }

/** A write that conflicts with another transaction is tried again, against what that one left. */
async function commit(database: Database, parts: Commit, triesLeft: number): Promise<Committed> {
  try {
    const changed = await database.$transaction(tables => writeAll(tables, parts), {
      timeout: parts.change.writes.some(isImport) ? storage.importMs : storage.applyConfigurationMs,
    })
    return { kind: 'done', changed }
  } catch (error) {
    if (isWriteConflict(error) && triesLeft > 1) return commit(database, parts, triesLeft - 1)
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

/** NOTE: the locks come first, always in this order: no other writer changes what is compared here, and none deadlocks. */
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

/** Returns how many rows changed. Throws `Refused` when it must not be written. */
async function writeAdmin(tables: Tables, write: AdminWrite, writing: Writing): Promise<number> {
  const { now } = writing
  switch (write.kind) {
    case 'put':
    case 'remove':
      return (await writeConfigured(tables, write, now)) ? 1 : 0
    case 'import':
      return importAll(tables, write, writing)
    case 'end_sessions':
      return endSessions(tables, write.selection, now)
    case 'revoke_grants':
      return revokeGrants(tables, write.selection, now)
    case 'remove_consents':
      return removeConsents(tables, write.selection, now)
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
    case 'schedule_key': {
      const { kid, retiresAt, expiresAt } = write
      return count(
        tables.signingKey.updateMany({ where: { kid: equals(kid) }, data: { retiresAt, expiresAt } }),
      )
    }
    case 'remove_key':
      return count(tables.signingKey.deleteMany({ where: { kid: equals(write.kid) } }))
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

/** Whether other writers of the configuration must wait. */
function touchesConfiguration({ kind }: AdminWrite): boolean {
  return ['put', 'remove', 'import', 'accept_invitation'].includes(kind)
}

async function putAdministrator(
  tables: Tables,
  { subject, role }: { readonly subject: string; readonly role: string },
  now: Date,
): Promise<number> {
  const create = { subject, role, createdAt: now }
  await tables.administrator.upsert({ where: { subject }, create, update: { role } })
  return 1
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

const ofSessions = { subject: 'subject', sessionId: 'sessionId' }
const ofConsents = { subject: 'subject', clientId: 'clientId' }
const ofGrants = { ...ofConsents, sessionId: 'sessionId', grantId: 'id' }
const ofTokens = { ...ofConsents, grantId: 'grantId' }

/** Sessions first: from then on nothing new can be granted in them (SE-06). Interrupted sign-ins are deleted. */
async function endSessions(tables: Tables, selection: EndSelection, now: Date): Promise<number> {
  const whose = narrowed(selection, ofSessions)
  if (selection.sessionId === undefined) await tables.partialSignIn.deleteMany({ where: whose })
  const ended = await tables.session.deleteMany({ where: whose })
  const where = { sessionId: { not: null }, ...whose, isOffline: false, revokedAt: null }
  const revoked = await tables.grant.updateMany({ where, data: { revokedAt: now } })
  return ended.count + revoked.count
}

/** Also those that a client got for itself: reference tokens are deleted, self-contained ones are too old from now on. */
async function revokeGrants(tables: Tables, selection: EndSelection, now: Date): Promise<number> {
  const revoked = await revoke(tables, selection, now)
  // No token knows its session; those issued in one died with their grants
  if ('sessionId' in selection) return revoked
  const { count } = await tables.referenceToken.deleteMany({ where: narrowed(selection, ofTokens) })
  const { subject, grantId, clientId } = selection
  const isOfOne = subject === undefined || clientId === undefined
  if (grantId === undefined && isOfOne) await markOwnTokens(tables, subject ?? clientId ?? null, now)
  return revoked + count
}

/** The consent is deleted first, so that nothing more can be granted silently. */
async function removeConsents(tables: Tables, selection: EndSelection, now: Date): Promise<number> {
  const { count } = await tables.consent.deleteMany({ where: narrowed(selection, ofConsents) })
  return count + (await revoke(tables, selection, now))
}

async function revoke(tables: Tables, selection: EndSelection, now: Date): Promise<number> {
  const where = { ...narrowed(selection, ofGrants), revokedAt: null }
  const { count } = await tables.grant.updateMany({ where, data: { revokedAt: now } })
  return count
}

/** NOTE: dropping a field would select the rows of all users, so a field without a column or a value is refused. */
function narrowed(selection: EndSelection, columns: Readonly<Record<string, string>>): Conditions {
  const conditions = Object.entries(selection).map(([field, value]) => {
    const column = columns[field]
    if (column === undefined || value === undefined) throw new TypeError(`"${field}" narrows nothing here.`)
    return [column, equals(value)] as const
  })
  return Object.fromEntries(conditions)
}

type Conditions = Readonly<Record<string, { readonly equals: string }>>
