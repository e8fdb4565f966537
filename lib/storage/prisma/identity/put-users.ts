/** Writes and removes users on behalf of administrators and the configuration. */
import { ConfigurationConflict, type UserToPut } from '#lib/ports/configuration-store.ts'
import type { EndCause } from '#lib/ports/sessions.ts'
import type { StoredUser } from '#lib/ports/users.ts'
import { verifiedEmailOf } from '#lib/protocol/text/user-names.ts'
import type { User as UserRow } from '#prisma/generated/sqlite/client.ts'
import type { Tables } from '../../database.ts'
import { isDuplicate } from '../../database-errors.ts'
import { removeAdministrator } from '../administration/administrators.ts'
import { putNewUserTerms, putUserTerms, removeTerms } from '../configuration/search-terms.ts'
import { markOf } from '../grants/revocation.ts'
import { batchesOf, equals, insertByDialect, type Writing } from '../rows.ts'
import { endSessions } from './ended-sessions.ts'
import { removeWaysIn } from './second-factors.ts'
import { endUndoLinks } from './taken-back-changes.ts'
import { userFromRow, userToRow } from './user-rows.ts'
import { refuseClientIds } from './users.ts'

/**
 * Creates or replaces users. Returns the number of users that were created or changed. New users are written together,
 * so that importing tens of thousands of them is fast.
 */
export async function putUsers(
  tables: Tables,
  users: readonly UserToPut[],
  { now, dialect }: Writing,
): Promise<number> {
  let changed = 0
  for (const batch of batchesOf(users)) {
    const where = { subject: { in: batch.map(({ subject }) => subject) } }
    const rows = await tables.user.findMany({ where, select: { subject: true } })
    const stored = new Set(rows.map(({ subject }) => subject))
    // Existing users first: one of them may give up a name that a new user takes
    for (const user of batch) if (stored.has(user.subject) && (await putUser(tables, user, now))) changed += 1
    const fresh = batch.filter(({ subject }) => !stored.has(subject))
    await createTogether(tables, fresh, { now, dialect })
    changed += fresh.length
  }
  return changed
}

async function createTogether(
  tables: Tables,
  users: readonly StoredUser[],
  { now, dialect }: Writing,
): Promise<void> {
  if (users.length === 0) return
  await refuseClientIds(tables, users)
  const dates = { createdAt: now, updatedAt: now, lastSignInAt: null }
  const rows = users.map(user => ({ ...userToRow(user), version: 1, ...dates }))
  await refuseTakenNames(tables, rows)
  try {
    await tables.$executeRaw(insertUsers[dialect](rows).whole)
  } catch (error) {
    if (!isDuplicate(error)) throw error
    throw new ConfigurationConflict('A username or a subject of the users is already taken.')
  }
  await putNewUserTerms(tables, users, dialect)
}

const insertUsers = insertByDialect<Omit<UserRow, 'externalLogins'>>('User')

type NamedRow = Pick<UserRow, 'username' | 'canonicalUsername'>

async function refuseTakenNames(tables: Tables, rows: readonly NamedRow[]): Promise<void> {
  const names = rows.map(({ canonicalUsername }) => canonicalUsername)
  const stored = await tables.user.findFirst({ where: { canonicalUsername: { in: names } } })
  const taken = rows.find(
    ({ canonicalUsername: name }, index) => name === stored?.canonicalUsername || names.indexOf(name) < index,
  )
  if (taken !== undefined) throw new ConfigurationConflict(`The username ${taken.username} is already taken.`)
}

/** Creates or replaces a user. Returns false if nothing changed. */
export async function putUser(tables: Tables, wanted: UserToPut, now: Date): Promise<boolean> {
  const row = await tables.user.findUnique({ where: { subject: wanted.subject } })
  const found = row && userFromRow(row)
  const user = found !== null && wanted.keepsPassword === true ? withPasswordOf(found, wanted) : wanted
  if (found !== null && JSON.stringify(userToRow(found)) === JSON.stringify(userToRow(user))) return false
  await refuseClientIds(tables, [user])
  await write(tables, user, now)
  await putUserTerms(tables, user)
  if (found !== null && verifiedEmailOf(found.claims) !== verifiedEmailOf(user.claims))
    await endUndoLinks(tables, user.subject, now)
  const cause = found && whyEnded(found, user)
  if (cause !== null) await endSessions(tables, { subject: user.subject }, cause, now)
  return true
}

function withPasswordOf({ passwordHash, mustChangePassword }: StoredUser, user: UserToPut): UserToPut {
  return { ...user, passwordHash, mustChangePassword }
}

/**
 * SE-06, RT-08: returns why sessions and grants must end: a changed password or a locked account. `null`: they
 * continue.
 */
function whyEnded(before: StoredUser, after: StoredUser): EndCause | null {
  if (before.enabled && !after.enabled) return 'account_disabled'
  return before.passwordHash === after.passwordHash ? null : 'password_changed'
}

async function write(tables: Tables, user: UserToPut, now: Date): Promise<void> {
  const { passwordHash, mustChangePassword, ...others } = userToRow(user)
  const columns = { ...others, updatedAt: now }
  const password = { passwordHash, mustChangePassword }
  const create = { ...columns, ...password, version: 1, createdAt: now }
  // The password is left out, so that a change by another transaction since the read is kept
  const changed = user.keepsPassword === true ? columns : { ...columns, ...password }
  const update = { ...changed, version: { increment: 1 } }
  try {
    await tables.user.upsert({ where: { subject: user.subject }, create, update })
  } catch (error) {
    if (!isDuplicate(error)) throw error
    throw new ConfigurationConflict(`The username ${user.username} is already taken.`)
  }
}

/**
 * Removes a user with the user's consents, role and statistics, ends the user's sessions and grants, and anonymizes the
 * user's events (LG-07). Returns false if the user did not exist.
 */
export async function removeUser(tables: Tables, subject: string, now: Date): Promise<boolean> {
  const { count } = await tables.user.deleteMany({ where: { subject: equals(subject) } })
  if (count === 0) return false
  await removeTerms(tables, 'user', subject)
  await removeSubject(tables, subject, now)
  return true
}

/** Removes what this server stores about a subject besides its user, whom another user service may have. */
export async function removeSubject(tables: Tables, subject: string, now: Date): Promise<void> {
  await endSessions(tables, { subject }, 'user_deleted', now)
  await tables.revokedToken.deleteMany({ where: { jti: equals(markOf(subject)) } })
  await tables.consent.deleteMany({ where: { subject } })
  await tables.visitor.deleteMany({ where: { subject } })
  await removeAdministrator(tables, subject)
  await removeWaysIn(tables, subject)
  await tables.userInvitation.deleteMany({ where: { subject: equals(subject) } })
  const anonymous = { subject: null, address: null, userAgent: null }
  await tables.event.updateMany({ where: { subject: equals(subject) }, data: anonymous })
}
