/** The list of people. */
import { z } from 'zod'
import { countedAtMost } from '#lib/config/limits.ts'
import type { AdminLists, ListedUser, UserFilter } from '#lib/ports/admin-lists.ts'
import { Prisma, type User as UserRow } from '#prisma/generated/sqlite/client.ts'
import type { Database } from '../../database.ts'
import { phoneDigits, searchWords } from '../../search-words.ts'
import { claims, providerScheme, subjectId } from '../columns.ts'
import { userShelves } from '../configuration/search-terms.ts'
import { userFromRow } from '../identity/users.ts'
import { inOrderOf } from './in-order-of.ts'
import { counted, pageOf, positionIn } from './page.ts'
import { countByWords, findByWords, isThere, type WordSearch } from './word-search.ts'

const positionSchema = z.tuple([z.string()])
const orderBy = { canonicalUsername: 'asc' } as const

export function createUserLists(
  database: Database,
): Pick<AdminLists, 'users' | 'countUsers' | 'user' | 'namesOf'> {
  return {
    users: async (filter, page) => {
      const asked = searchOf(filter)
      if (asked === null) return listAll(database, filter, page)
      const { items, next } = await findByWords(database, asked, page)
      const rows = await database.user.findMany({ where: { subject: { in: [...items] } } })
      return { items: inOrderOf(items, rows, row => row.subject).map(listed), next }
    },
    countUsers: async filter => {
      const asked = searchOf(filter)
      if (asked !== null) return countByWords(database, asked)
      const where = enabledAs(filter)
      return counted(await database.user.count({ where, orderBy, take: countedAtMost + 1 }))
    },
    user: async subject => {
      const include = { externalLogins: { orderBy: { createdAt: 'asc' } } } as const
      const row = await database.user.findUnique({ where: { subject }, include })
      if (row === null) return null
      const { version, createdAt, updatedAt, externalLogins } = row
      return { ...userFromRow(row), version, createdAt, updatedAt, linked: externalLogins.map(linked) }
    },
    namesOf: async subjects => {
      const rows = await database.user.findMany({ where: { subject: { in: [...new Set(subjects)] } } })
      return new Map(rows.map(row => [row.subject, { username: row.username, name: nameOf(row) }]))
    },
  }
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

function enabledAs({ enabled }: UserFilter) {
  return enabled === null ? {} : { enabled }
}

function searchOf({ search, enabled }: UserFilter): WordSearch | null {
  const digits = search === null ? null : phoneDigits(search)
  const words = digits === null ? searchWords(search) : [digits]
  if (words === null) return null
  if (enabled === false) return { shelf: userShelves.disabled, words, condition: null }
  return { shelf: userShelves.all, words, condition: enabled === null ? null : isEnabled }
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
  }
}

function nameOf(row: UserRow): string | null {
  const { name, given_name: given, family_name: family } = claims(row.claims)
  if (typeof name === 'string') return name
  const parts = [given, family].filter(part => typeof part === 'string')
  return parts.length === 0 ? null : parts.join(' ')
}

function linked(row: { scheme: string; issuer: string; externalSubject: string; createdAt: Date }) {
  const { scheme, issuer, externalSubject: subject, createdAt } = row
  return { scheme: providerScheme(scheme), issuer, subject, createdAt }
}
