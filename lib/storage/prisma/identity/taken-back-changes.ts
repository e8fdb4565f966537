/** Changes of accounts that their users took back. */
import { undoLink } from '#lib/config/limits.ts'
import type { ReportedChange, RestoredAccount, TakenBackChanges } from '#lib/ports/taken-back-changes.ts'
import { canonicalUsername, verifiedEmailOf } from '#lib/protocol/text/user-names.ts'
import { secondsAfter } from '#lib/protocol/time.ts'
import { Prisma } from '#prisma/generated/sqlite/client.ts'
import type { Dialect, Tables } from '../../database.ts'
import { isDuplicate } from '../../database-errors.ts'
import { expired, type Store } from '../../store.ts'
import { putUserTerms } from '../configuration/search-terms.ts'
import { putDeliveries } from '../outbox.ts'
import { equals } from '../rows.ts'
import { deleteLinks } from './account-links.ts'
import { endSessions } from './ended-sessions.ts'
import { endMailProofs } from './mail-proofs.ts'
import { removeWaysInSince } from './second-factors.ts'
import { userFromRow, userToRow } from './user-rows.ts'
import { lockAccount, lockApp, lockPasskeys } from './ways-in.ts'

export const takenBackChangeStore: Store<TakenBackChanges> = {
  create: database => ({
    isTakenBack: change => isTakenBack(database, change),
    takeBack: async (change, taking) => {
      const { dialect } = database
      const take = (isNamed: boolean) =>
        database.$transaction(tables => takeBack(tables, change, { ...taking, isNamed, dialect }))
      try {
        return await take(true)
      } catch (error) {
        if (!isDuplicate(error)) throw error
        return take(false)
      }
    },
    countSince: async since => {
      const where = { takenBackAt: { gt: since }, since: { gt: always } }
      const rows = await database.takenBackChange.findMany({
        where,
        distinct: ['subject'],
        select: { id: true },
      })
      return rows.length
    },
  }),
  purge: [expired('taken_back_changes', 'TakenBackChange')],
}

/** `isNamed`: whether a user name that is the replaced address becomes the restored one. Throws a duplicate if it is taken. */
type Taking = Parameters<TakenBackChanges['takeBack']>[1] & {
  readonly isNamed: boolean
  readonly dialect: Dialect
}

async function takeBack(
  tables: Tables,
  change: ReportedChange,
  { now, expiresAt, account, notices, isNamed, dialect }: Taking,
): Promise<boolean> {
  const { id, subject, at } = change
  // A lock is a row, which a deleted account must not leave behind
  if (account !== null && (await lockAccount(tables, { subject, dialect })) === null) return false
  await lockSubject(tables, subject)
  if (await isTakenBack(tables, change)) return false
  const since = secondsAfter(at, -undoLink.marginSeconds)
  const restoring = account && { ...account, isNamed, change, since, now }
  if (restoring !== null && !(await restoreAccount(tables, restoring))) return false
  await tables.takenBackChange.create({ data: { id, subject, since: at, takenBackAt: now, expiresAt } })
  // Before the sessions, as the removal of a passkey and a sign-in with one lock them
  await lockPasskeys(tables, { subject, dialect })
  await lockApp(tables, { subject, dialect })
  await endSessions(tables, { subject }, 'change_taken_back', now)
  // A session that was being replaced at this moment has a new row
  await endSessions(tables, { subject }, 'change_taken_back', now)
  await removeWaysInSince(tables, subject, since)
  await endMailProofs(tables, { subject: equals(subject) })
  // A started deletion goes on: part of the account is gone
  const planned = { subject: equals(subject), createdAt: { gte: since }, startedAt: null }
  await tables.plannedChange.deleteMany({ where: planned })
  await putDeliveries(tables, notices)
  return true
}

/** The beginning of the range in which an administrator's change ends every link. */
const always = new Date(0)

/**
 * Ends every earlier link of the subject: an administrator has changed the verified address, and others may read the mails of
 * the address before.
 */
export async function endUndoLinks(tables: Tables, subject: string, now: Date): Promise<void> {
  const expiresAt = secondsAfter(now, undoLink.lifetimeSeconds)
  const id = `address-${subject}-${now.getTime()}`
  const ended = { since: always, takenBackAt: now, expiresAt }
  await tables.takenBackChange.upsert({ where: { id }, create: { id, subject, ...ended }, update: ended })
}

async function isTakenBack(tables: Tables, { subject, at }: Omit<ReportedChange, 'id'>): Promise<boolean> {
  // The clock of the node that made the mail may be ahead
  const takenBackAt = { gt: secondsAfter(at, -undoLink.marginSeconds) }
  const where = { subject: equals(subject), since: { lte: at }, takenBackAt }
  return (await tables.takenBackChange.findFirst({ where })) !== null
}

/** Makes concurrent transactions for the subject wait, also for one without a row in `User`. */
async function lockSubject(tables: Tables, subject: string): Promise<void> {
  await tables.$executeRaw(
    Prisma.sql`INSERT INTO "SubjectPreference" ("subject") VALUES (${subject})
      ON CONFLICT ("subject") DO UPDATE SET "subject" = excluded."subject"`,
  )
}

type Restoring = RestoredAccount & {
  readonly isNamed: boolean
  readonly change: ReportedChange
  readonly since: Date
  readonly now: Date
}

/**
 * Restores the address and makes the password unusable. Returns false if there is no such account. Writing the row first makes
 * concurrent changes of the account wait.
 */
async function restoreAccount(
  tables: Tables,
  { change: { subject, at }, since, now, address, unusableHash, isNamed }: Restoring,
): Promise<boolean> {
  const which = { subject: equals(subject), createdAt: { lte: at } }
  const changed = { version: { increment: 1 }, updatedAt: now }
  const { count } = await tables.user.updateMany({ where: which, data: changed })
  const row = count === 0 ? null : await tables.user.findUnique({ where: { subject } })
  if (row === null) return false
  const user = userFromRow(row)
  const { passwordHash, claims } = user
  const isSame = verifiedEmailOf(claims) === canonicalUsername(address)
  const hasAddressAsName =
    typeof claims.email === 'string' && row.canonicalUsername === canonicalUsername(claims.email)
  const restored = {
    ...user,
    username: isNamed && hasAddressAsName && !isSame ? address : user.username,
    passwordHash: passwordHash === null ? null : unusableHash,
    claims: isSame ? claims : { ...claims, email: address, email_verified: true },
  }
  await tables.user.update({ where: { subject }, data: userToRow(restored) })
  await putUserTerms(tables, restored)
  // The link with which a provider's user got the account is as old as the account, and stays
  const linked = { subject: equals(subject), createdAt: { gte: since, gt: row.createdAt } }
  await deleteLinks(tables, linked, now)
  return true
}
