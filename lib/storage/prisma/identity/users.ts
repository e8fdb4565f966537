/** People, behind the default user service. */
import { ConfigurationConflict } from '#lib/ports/configuration-store.ts'
import type { ExternalKey, StoredUser, Users } from '#lib/ports/users.ts'
import { canonicalUsername, verifiedEmailOf } from '#lib/protocol/text/user-names.ts'
import type { User as UserRow } from '#prisma/generated/sqlite/client.ts'
import type { Database, Tables } from '../../database.ts'
import { isDuplicate } from '../../row-errors.ts'
import { claims, subjectId } from '../columns.ts'
import { putUserTerms } from '../configuration/search-terms.ts'
import { equals } from '../equals.ts'
import { endEverything } from '../grants/end-everything.ts'

export function createUsers(database: Database): Users {
  return {
    findBySubject: async subject => {
      const row = await database.user.findUnique({ where: { subject } })
      return row && userFromRow(row)
    },
    findByUsername: async username => {
      const where = { canonicalUsername: canonicalUsername(username) }
      const row = await database.user.findUnique({ where })
      return row && userFromRow(row)
    },
    findByVerifiedEmail: async email => {
      const where = { verifiedEmail: canonicalUsername(email), passwordHash: { not: null } }
      const [user, another] = await database.user.findMany({ where, take: 2 })
      return user === undefined || another !== undefined ? null : userFromRow(user)
    },
    findByExternal: key => findLinked(database, key),
    createExternal: async (user, key, now) =>
      (await findLinked(database, key)) ?? createLinked(database, { user, key, now }),
    replacePasswordHash: async (subject, { replaced, successor }, now) => {
      const where = { subject: equals(subject), passwordHash: equals(replaced) }
      await database.user.updateMany({ where, data: { passwordHash: successor, updatedAt: now } })
    },
    choosePassword: (subject, hashes, now) =>
      database.$transaction(tables => choosePassword(tables, { subject, ...hashes }, now)),
  }
}

async function findLinked(database: Database, key: ExternalKey): Promise<StoredUser | null> {
  const where = { scheme_issuer_externalSubject: linkOf(key) }
  const login = await database.externalLogin.findUnique({ where, include: { user: true } })
  return login && userFromRow(login.user)
}

function linkOf({ scheme, issuer, subject }: ExternalKey) {
  return { scheme, issuer, externalSubject: subject }
}

type ChosenPassword = { readonly subject: string; readonly replaced: string; readonly successor: string }

/** The row is written first: the second of two concurrent calls waits here, and then finds a different hash. */
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
  await endEverything(tables, subject, now)
  return true
}

type NewLink = { readonly user: StoredUser; readonly key: ExternalKey; readonly now: Date }

/** Person, link and the words to find them by: all or nothing. */
async function createLinked(database: Database, { user, key, now }: NewLink): Promise<StoredUser> {
  await refuseClientId(database, user)
  try {
    const login = { ...linkOf(key), createdAt: now }
    const row = { ...userToRow(user), version: 1, createdAt: now, updatedAt: now }
    const data = { ...row, externalLogins: { create: login } }
    return await database.$transaction(async tables => {
      const row = await tables.user.create({ data })
      await putUserTerms(tables, user)
      return userFromRow(row)
    })
  } catch (error) {
    const winner = isDuplicate(error) ? await findLinked(database, key) : null
    if (winner === null) throw error
    return winner
  }
}

/** A token's `sub` is a user or a client, so no user may have the ID of a client. */
async function refuseClientId(database: Database, user: StoredUser): Promise<void> {
  const found = await database.client.findUnique({ where: { clientId: user.subject } })
  if (found !== null) throw new ConfigurationConflict(`The subject ${user.subject} is already a client_id.`)
}

export function userToRow(user: StoredUser) {
  return {
    subject: user.subject,
    username: user.username,
    canonicalUsername: canonicalUsername(user.username),
    verifiedEmail: verifiedEmailOf(user.claims),
    passwordHash: user.passwordHash,
    mustChangePassword: user.mustChangePassword,
    enabled: user.enabled,
    claims: JSON.stringify(user.claims),
  }
}

export function userFromRow(row: UserRow): StoredUser {
  return {
    subject: subjectId(row.subject),
    username: row.username,
    passwordHash: row.passwordHash,
    mustChangePassword: row.mustChangePassword,
    enabled: row.enabled,
    claims: claims(row.claims),
  }
}
