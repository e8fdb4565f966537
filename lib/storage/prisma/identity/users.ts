/** The users of the default user service. */
import type { NamedIdentity } from '#lib/ports/account-links.ts'
import { ConfigurationConflict } from '#lib/ports/configuration-store.ts'
import type { AccountCondition, ExternalKey, StoredUser, Users } from '#lib/ports/users.ts'
import { isImportedHash } from '#lib/protocol/registration/imported-hashes.ts'
import { canonicalUsername, verifiedEmailOf } from '#lib/protocol/text/user-names.ts'
import { Prisma, type User as UserRow } from '#prisma/generated/sqlite/client.ts'
import type { Database, Tables } from '../../database.ts'
import { isDuplicate } from '../../database-errors.ts'
import { type Bound, locked, type Statement, statement } from '../../sql/statement.ts'
import { putUserTerms, removeImportedTerm } from '../configuration/search-terms.ts'
import { putDeliveries } from '../outbox.ts'
import { changesOne, equals, subjectId } from '../rows.ts'
import { createAccountLinks, linkOf } from './account-links.ts'
import { stillExists } from './change-source.ts'
import { endSessions } from './ended-sessions.ts'
import { userFromRow, userTable, userToRow } from './user-rows.ts'

export function createUsers(database: Database): Users {
  return {
    findBySubject: subject => findUser(database, statements.userBySubject, subject),
    findByUsername: username => findUser(database, statements.userByName, canonicalUsername(username)),
    findByVerifiedEmail: email => findUser(database, statements.userByEmail, canonicalUsername(email)),
    findByExternal: key => findLinked(database, key),
    links: createAccountLinks(database),
    createExternal: async (user, key, now) =>
      (await findLinked(database, key)) ?? createLinked(database, { user, key, now }),
    register: (user, now, rule) =>
      register(database, { user, now, needsOwnAddress: rule?.needsOwnAddress ?? false }),
    addPassword: (subject, passwordHash, now) => addPassword(database, { subject, passwordHash }, now),
    listPasswordHashes: async (after, most) => {
      const where = { subject: { gt: after ?? '' } }
      const rows = await database.user.findMany({
        where,
        select: hashColumns,
        orderBy: { subject: 'asc' },
        take: most,
      })
      return rows.map(row => ({ ...row, subject: subjectId(row.subject) }))
    },
    replacePasswordHash: async (subject, { replaced, successor }, now) => {
      const where = { subject: equals(subject), passwordHash: equals(replaced) }
      const data = { passwordHash: successor, updatedAt: now }
      if (!isImportedHash(replaced)) return void (await database.user.updateMany({ where, data }))
      await database.$transaction(async tables => {
        if (await changesOne(tables.user.updateMany({ where, data })))
          await removeImportedTerm(tables, subject)
      })
    },
    replaceClaims: async (subject, { replaced, successor }, now) => {
      const where = { subject: equals(subject), claims: equals(JSON.stringify(replaced)) }
      const data = { claims: JSON.stringify(successor), version: { increment: 1 }, updatedAt: now }
      return database.$transaction(async tables => {
        if (!(await changesOne(tables.user.updateMany({ where, data })))) return false
        const row = await tables.user.findUnique({ where: { subject } })
        if (row !== null) await putUserTerms(tables, userFromRow(row))
        return true
      })
    },
    listByVerifiedEmail: async (email, most) => {
      const where = { verifiedEmail: equals(canonicalUsername(email)) }
      const rows = await database.user.findMany({ where, orderBy: { canonicalUsername: 'asc' }, take: most })
      return rows.map(userFromRow)
    },
    changeEmail: (subject, { replaced, address, within }, now) =>
      changeEmail(database, { subject, replaced, address, within, dialect: database.dialect }, now),
    choosePassword: (subject, hashes, { now, notices }) =>
      database.$transaction(async tables => {
        const isChosen = await choosePassword(tables, { subject, ...hashes }, now)
        if (isChosen) await putDeliveries(tables, notices)
        return isChosen
      }),
  }
}

async function addPassword(
  database: Database,
  { subject, passwordHash }: Pick<UserRow, 'subject' | 'passwordHash'>,
  now: Date,
): Promise<void> {
  const where = { subject: equals(subject), passwordHash: null, enabled: true }
  const data = { passwordHash, version: { increment: 1 }, updatedAt: now }
  await database.user.updateMany({ where, data })
}

const hashColumns = { subject: true, username: true, passwordHash: true } as const
const statements = {
  /** $1 subject */
  userBySubject: statement(`SELECT ${userTable.of('u')} FROM "User" u WHERE u."subject" = $1`),

  /** $1 canonical name */
  userByName: statement(`SELECT ${userTable.of('u')} FROM "User" u WHERE u."canonicalUsername" = $1`),

  /** Finds a user with a password, only if no other such user has the address. $1 verified email, canonical */
  userByEmail: statement(
    `SELECT ${userTable.of('u')} FROM "User" u
     WHERE u."verifiedEmail" = $1 AND u."passwordHash" IS NOT NULL AND NOT EXISTS (
       SELECT 1 FROM "User" o
       WHERE o."verifiedEmail" = $1 AND o."passwordHash" IS NOT NULL AND o."subject" <> u."subject"
     )`,
  ),

  /** $1 subject, $2 enabled, $3 password hash */
  accountIsUnchanged: statement(
    `SELECT 1 FROM "User" WHERE "subject" = $1 AND "enabled" = $2 AND "passwordHash" IS NOT DISTINCT FROM $3 ${locked}`,
  ),

  /** $1 subject */
  accountIsElsewhere: statement(`SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM "User" WHERE "subject" = $1)`),
}

async function findUser(database: Database, query: Statement, key: string): Promise<StoredUser | null> {
  const cells = await database.$first(query, [key])
  const row = cells && userTable.read(cells)
  return row && userFromRow(row)
}

async function findLinked(database: Database, key: ExternalKey): Promise<StoredUser | null> {
  const where = { scheme_issuer_externalSubject: linkOf(key) }
  const login = await database.externalLogin.findUnique({ where, include: { user: true } })
  return login && userFromRow(login.user)
}

type ChosenPassword = { readonly subject: string; readonly replaced: string; readonly successor: string }

/**
 * Replaces a password and ends the user's sessions and grants. Returns false if the user is locked, or no longer has
 * the password that was checked. The row is written first: the second of two concurrent calls waits here, and then
 * finds a different hash.
 */
async function choosePassword(
  tables: Tables,
  { subject, replaced, successor }: ChosenPassword,
  now: Date,
): Promise<boolean> {
  const where = { subject: equals(subject), passwordHash: equals(replaced), enabled: true }
  const chosen = { passwordHash: successor, mustChangePassword: false }
  const data = { ...chosen, version: { increment: 1 }, updatedAt: now }
  const { count } = await tables.user.updateMany({ where, data })
  if (count === 0) return false
  if (isImportedHash(replaced)) await removeImportedTerm(tables, subject)
  await endSessions(tables, { subject }, 'password_changed', now)
  return true
}

type ChangedEmail = Parameters<Users['changeEmail']>[1] & {
  readonly subject: string
  readonly dialect: Database['dialect']
}

/** Changes the address, and the user name with it if no other user has that name. */
async function changeEmail(database: Database, change: ChangedEmail, now: Date): Promise<boolean> {
  try {
    return await database.$transaction(tables => writeEmail(tables, { ...change, isNamed: true }, now))
  } catch (error) {
    if (!isDuplicate(error)) throw error
    return database.$transaction(tables => writeEmail(tables, { ...change, isNamed: false }, now))
  }
}

async function writeEmail(
  tables: Tables,
  { subject, replaced, address, isNamed, ...source }: ChangedEmail & { readonly isNamed: boolean },
  now: Date,
): Promise<boolean> {
  const { claims: before, passwordHash: hash } = replaced
  const unchanged = { claims: equals(JSON.stringify(before)), passwordHash: hash && equals(hash) }
  const where = { subject: equals(subject), ...unchanged, enabled: true }
  // Written first: a concurrent change of the account waits here
  const { count } = await tables.user.updateMany({
    where,
    data: { version: { increment: 1 }, updatedAt: now },
  })
  const row = count === 0 ? null : await tables.user.findUnique({ where: { subject } })
  if (row === null || !(await stillExists(tables, source))) return false
  const user = userFromRow(row)
  const { email } = before
  const hasAddressAsName = typeof email === 'string' && row.canonicalUsername === canonicalUsername(email)
  const changed = {
    ...user,
    username: hasAddressAsName && isNamed ? address : user.username,
    claims: { ...before, email: address, email_verified: true },
  }
  await tables.user.update({ where: { subject }, data: userToRow(changed) })
  await putUserTerms(tables, changed)
  return true
}

type NewLink = {
  readonly user: StoredUser
  readonly key: ExternalKey & Partial<NamedIdentity>
  readonly now: Date
}

/**
 * Creates a user, the link to the provider and the search terms, all or nothing. If a concurrent call created the link
 * first, returns its user.
 */
async function createLinked(database: Database, { user, key, now }: NewLink): Promise<StoredUser> {
  await refuseClientIds(database, [user])
  try {
    const login = { ...linkOf(key), label: key.label ?? null, createdAt: now }
    const columns = { ...userToRow(user), externalLogins: { create: login } }
    return await database.$transaction(tables => createUser(tables, columns, { user, now }))
  } catch (error) {
    const winner = isDuplicate(error) ? await findLinked(database, key) : null
    if (winner === null) throw error
    return winner
  }
}

type Registration = Pick<NewLink, 'user' | 'now'> & { readonly needsOwnAddress: boolean }

async function register(
  database: Database,
  { user, now, needsOwnAddress }: Registration,
): ReturnType<Users['register']> {
  await refuseClientIds(database, [user])
  try {
    return await database.$transaction(async tables => {
      if (needsOwnAddress && (await isAddressTaken(tables, user, database.dialect))) return 'address_taken'
      await createUser(tables, userToRow(user), { user, now })
      return 'registered'
    })
  } catch (error) {
    if (!isDuplicate(error)) throw error
    return 'name_taken'
  }
}

/** The class of PostgreSQL's advisory locks for the addresses of users who register. */
const addressLocks = 82

/**
 * Whether a user has this verified address. The address is not unique, so nothing else makes concurrent registrations wait for
 * each other on PostgreSQL: the second one waits here, and then sees the user of the first. SQLite has one writer.
 */
async function isAddressTaken(
  tables: Tables,
  { claims }: StoredUser,
  dialect: Database['dialect'],
): Promise<boolean> {
  const address = verifiedEmailOf(claims)
  if (address === null) return false
  if (dialect === 'postgresql')
    await tables.$executeRaw(
      Prisma.sql`SELECT pg_advisory_xact_lock(${addressLocks}::int, hashtext(${address}))`,
    )
  return (await tables.user.findFirst({ where: { verifiedEmail: equals(address) } })) !== null
}

type NewUserColumns = ReturnType<typeof userToRow> &
  Pick<Parameters<Tables['user']['create']>[0]['data'], 'externalLogins'>

/** Creates a user with the search terms, in the transaction of the caller. Throws if the user name is taken. */
async function createUser(
  tables: Tables,
  columns: NewUserColumns,
  { user, now }: Pick<NewLink, 'user' | 'now'>,
): Promise<StoredUser> {
  const row = await tables.user.create({ data: { ...columns, version: 1, createdAt: now, updatedAt: now } })
  await putUserTerms(tables, user)
  return userFromRow(row)
}

/** Refuses users with the ID of a client: a token's `sub` is a user or a client, so it must be unambiguous. */
export async function refuseClientIds(tables: Tables, users: readonly StoredUser[]): Promise<void> {
  const where = { clientId: { in: users.map(({ subject }) => String(subject)) } }
  const client = await tables.client.findFirst({ where, select: { clientId: true } })
  const user = users.find(({ subject }) => subject === client?.clientId)
  if (user === undefined) return
  throw new ConfigurationConflict(
    `The user ${user.username} has the subject ${user.subject}, which is already a client_id.`,
  )
}

/**
 * Returns the condition that the account is the same as when it was read: the same password hash, and enabled or
 * disabled as before, or still not in this database. Returns `null` if the account does not pass the check.
 */
export async function accountCondition(
  database: Database,
  subject: string,
  condition: AccountCondition,
): Promise<Bound | null> {
  if (typeof condition !== 'function') return isUnchanged(condition)
  const user = await findUser(database, statements.userBySubject, subject)
  if (!condition(user)) return null
  if (user === null) return [statements.accountIsElsewhere, [subject]]
  return isUnchanged(user)
}

function isUnchanged({ subject, enabled, passwordHash }: StoredUser): Bound {
  return [statements.accountIsUnchanged, [subject, enabled, passwordHash]]
}
