/** Lists, counts and reads users for the dashboard, finds their names, and counts the imported password hashes. */
import { z } from 'zod'
import { countedAtMost } from '#lib/config/limits.ts'
import type {
  AdminLists,
  ListedUser,
  Page,
  PageRequest,
  TimeOrder,
  UserFilter,
} from '#lib/ports/admin-lists.ts'
import { compareNames } from '#lib/protocol/text/name-order.ts'
import { nameOfUser } from '#lib/protocol/text/user-names.ts'
import { Prisma, type User as UserRow } from '#prisma/generated/sqlite/client.ts'
import type { Database } from '../../database.ts'
import { foldedText, phoneDigits, searchWords, userTermKinds } from '../configuration/search-terms.ts'
import { userFromRow } from '../identity/user-rows.ts'
import { linkFromRow } from '../identity/ways-in.ts'
import { claims, inOrderOf, subjectId } from '../rows.ts'
import { counted, pageByTime, pageOf, positionIn, restOf } from './page.ts'
import { sharedAddresses } from './shared-addresses.ts'
import { countByWords, findByWords, isThere, type WordSearch } from './word-search.ts'

const positionSchema = z.tuple([z.string()])
/** The maximum number of matches of a search that are sorted; more are listed in the order of the index. */
const mostSorted = 500
const orderBy = { canonicalUsername: 'asc' } as const

export function createUserLists(
  database: Database,
): Pick<
  AdminLists,
  | 'users'
  | 'countUsers'
  | 'countImportedHashes'
  | 'countUsersWithoutFactor'
  | 'sharedAddresses'
  | 'user'
  | 'namesOf'
> {
  return {
    users: async (filter, page, order = null) => {
      const asked = searchOf(filter)
      if (asked === null && order !== null) return listByTime(database, filter, page, order)
      if (asked === null) return listAll(database, filter, page)
      return (await listFew(database, filter, asked, page)) ?? listMany(database, asked, page)
    },
    countUsers: async filter => {
      const asked = searchOf(filter)
      if (asked !== null) return countByWords(database, asked)
      const where = enabledAs(filter)
      return counted(await database.user.count({ where, orderBy, take: countedAtMost + 1 }))
    },
    countImportedHashes: async () => {
      const orderBy = [{ term: 'asc' }, { id: 'asc' }] as const
      const where = { kind: userTermKinds.imported }
      return counted(
        await database.searchTerm.count({ where, orderBy: [...orderBy], take: countedAtMost + 1 }),
      )
    },
    sharedAddresses: most => sharedAddresses(database, most),
    countUsersWithoutFactor: async () => counted(await countWithoutFactor(database)),
    user: async subject => {
      const include = { externalLogins: { orderBy: { createdAt: 'asc' } } } as const
      const row = await database.user.findUnique({ where: { subject }, include })
      if (row === null) return null
      const { version, createdAt, updatedAt, lastSignInAt, externalLogins } = row
      const dates = { createdAt, updatedAt, lastSignInAt }
      return { ...userFromRow(row), ...dates, version, linked: externalLogins.map(linkFromRow) }
    },
    namesOf: async subjects => {
      const rows = await database.user.findMany({ where: { subject: { in: [...new Set(subjects)] } } })
      return new Map(rows.map(row => [row.subject, { username: row.username, name: nameOf(row) }]))
    },
  }
}

const countSchema = z.tuple([z.object({ n: z.coerce.number() })])

async function countWithoutFactor(database: Database): Promise<number> {
  const hasApp = isThere(Prisma.sql`"AuthenticatorApp" a WHERE a."subject" = u."subject"`)
  const hasPasskey = isThere(Prisma.sql`"Passkey" p WHERE p."subject" = u."subject"`)
  const found = await database.$queryRaw(Prisma.sql`
    SELECT COUNT(*) AS "n" FROM (
      SELECT 1 FROM "User" u WHERE u."enabled" = ${true} AND NOT ${hasApp} AND NOT ${hasPasskey}
      LIMIT ${countedAtMost + 1}
    ) f`)
  return countSchema.parse(found)[0].n
}

async function listAll(
  database: Database,
  filter: UserFilter,
  { after, limit }: Parameters<AdminLists['users']>[1],
) {
  const position = positionIn(after, positionSchema)
  const where = {
    ...enabledAs(filter),
    ...(position === null ? {} : { canonicalUsername: { gt: position[0] } }),
  }
  const rows = await database.user.findMany({ where, orderBy, take: limit + 1 })
  const page = pageOf(rows, limit, row => [row.canonicalUsername])
  return { ...page, items: page.items.map(listed) }
}

async function listByTime(
  database: Database,
  filter: UserFilter,
  page: PageRequest,
  { by, isDescending }: TimeOrder<'created' | 'last_sign_in'>,
): Promise<Page<ListedUser>> {
  const byTime = <T>(is: T) => (by === 'created' ? { createdAt: is } : { lastSignInAt: is })
  const rows = await pageByTime<UserRow>(page, {
    isDescending,
    hasUntimed: by === 'last_sign_in',
    read: walk => {
      const times = by === 'created' ? {} : { lastSignInAt: walk.isTimed ? { not: null } : null }
      return database.user.findMany({
        where: { AND: [enabledAs(filter), times, restOf(walk, byTime, subject => ({ subject }))] },
        orderBy: [byTime(walk.direction), { subject: walk.direction }],
        take: walk.take,
      })
    },
    positionOf: row => [by === 'created' ? row.createdAt : row.lastSignInAt, row.subject],
  })
  return { ...rows, items: rows.items.map(listed) }
}

const placeSchema = z.tuple([z.int(), z.string(), z.string()])
type Place = z.infer<typeof placeSchema>

/**
 * Lists few matches: an exact user name, email address, name or subject first, then by name. `null`: there are too many
 * to sort, or finding all of them would examine more rows than one page may.
 */
async function listFew(
  database: Database,
  { search }: UserFilter,
  asked: WordSearch,
  { after, limit }: PageRequest,
): Promise<Page<ListedUser> | null> {
  const found = await findByWords(database, asked, { after: null, limit: mostSorted })
  if (found.next !== null) return null
  const users = await listedUsers(database, found.items)
  const sorted = users
    .map(user => ({ user, place: placeOf(user, foldedText(search ?? '')) }))
    .toSorted((left, right) => compare(left.place, right.place))
  const position = positionIn(after, placeSchema)
  const rest = position === null ? sorted : sorted.filter(({ place }) => compare(place, position) > 0)
  const page = pageOf(rest, limit, ({ place }) => place)
  return { ...page, items: page.items.map(({ user }) => user) }
}

/** Lists many matches in the order of the index, which needs no sorting. */
async function listMany(database: Database, asked: WordSearch, page: PageRequest): Promise<Page<ListedUser>> {
  const { items, next } = await findByWords(database, asked, page)
  return { items: await listedUsers(database, items), next }
}

async function listedUsers(database: Database, ids: readonly string[]): Promise<readonly ListedUser[]> {
  const rows = await database.user.findMany({ where: { subject: { in: [...ids] } } })
  return inOrderOf(ids, rows, row => row.subject).map(listed)
}

function placeOf({ subject, username, name, email }: ListedUser, searched: string): Place {
  const isExact = [username, email, name, subject].some(
    text => text !== null && foldedText(text) === searched,
  )
  return [isExact ? 0 : 1, foldedText(name ?? username), subject]
}

function compare([rank, name, subject]: Place, [otherRank, otherName, otherSubject]: Place): number {
  return rank - otherRank || compareNames(name, otherName) || compareNames(subject, otherSubject)
}

function enabledAs({ enabled }: UserFilter) {
  return enabled === null ? {} : { enabled }
}

function searchOf({ search, enabled }: UserFilter): WordSearch | null {
  const digits = search === null ? null : phoneDigits(search)
  const words = digits === null ? searchWords(search) : [digits]
  if (words === null) return null
  if (enabled === false) return { kind: userTermKinds.disabled, words, condition: null }
  return { kind: userTermKinds.all, words, condition: enabled === null ? null : isEnabled }
}

const isEnabled = isThere(Prisma.sql`"User" u WHERE u."subject" = t."id" AND u."enabled" = ${true}`)

function listed(row: UserRow): ListedUser {
  const { email } = claims(row.claims)
  return {
    subject: subjectId(row.subject),
    username: row.username,
    name: nameOf(row),
    email: typeof email === 'string' ? email : null,
    enabled: row.enabled,
    createdAt: row.createdAt,
    lastSignInAt: row.lastSignInAt,
  }
}

function nameOf(row: UserRow): string | null {
  return nameOfUser({ claims: claims(row.claims), hasPassword: row.passwordHash !== null })
}
