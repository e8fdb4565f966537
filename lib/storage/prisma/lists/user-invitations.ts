/** Lists, counts and finds the invitations of users for the dashboard. */
import { countedAtMost } from '#lib/config/limits.ts'
import type { AdminLists, InvitationFilter, ListedInvitation } from '#lib/ports/admin-lists.ts'
import type { UserInvitation as Row } from '#prisma/generated/sqlite/client.ts'
import type { Database } from '../../database.ts'
import { userInvitationFromRow } from '../identity/user-invitations.ts'
import { equals, subjectId } from '../rows.ts'
import { counted, pageByTime, restOf } from './page.ts'

export function createInvitationLists(
  database: Database,
): Pick<AdminLists, 'userInvitations' | 'countUserInvitations' | 'userInvitation' | 'invitedAddresses'> {
  return {
    userInvitations: async (filter, page, now) => {
      const byTime = <T>(is: T) => ({ createdAt: is })
      const found = await pageByTime<Row>(page, {
        isDescending: true,
        read: walk =>
          database.userInvitation.findMany({
            where: { AND: [conditionOf(filter, now), restOf(walk, byTime, id => ({ id }))] },
            orderBy: [{ createdAt: walk.direction }, { id: walk.direction }],
            take: walk.take,
          }),
        positionOf: row => [row.createdAt, row.id],
      })
      return { ...found, items: found.items.map(listed) }
    },
    countUserInvitations: async (filter, now) => {
      const orderBy = [{ createdAt: 'asc' }, { id: 'asc' }] as const
      const where = conditionOf(filter, now)
      const take = countedAtMost + 1
      return counted(await database.userInvitation.count({ where, orderBy: [...orderBy], take }))
    },
    userInvitation: async id => {
      const row = await database.userInvitation.findFirst({ where: { id: equals(id) } })
      return row && listed(row)
    },
    invitedAddresses: async (emails, now) => {
      const rows = await database.userInvitation.findMany({
        where: conditionOf({ state: 'open', search: null }, now),
        select: { email: true },
      })
      const open = new Set(rows.map(({ email }) => email?.toLowerCase()))
      return new Set(emails.filter(email => open.has(email.toLowerCase())))
    },
  }
}

function conditionOf({ state, search }: InvitationFilter, now: Date) {
  const found =
    search === null
      ? {}
      : { OR: [{ email: { startsWith: search } }, { email: { startsWith: search.toLowerCase() } }] }
  switch (state) {
    case 'open':
      return { ...found, usedAt: null, expiresAt: { gt: now } }
    case 'used':
      return { ...found, usedAt: { not: null } }
    case 'expired':
      return { ...found, usedAt: null, expiresAt: { lte: now } }
    default:
      return found
  }
}

function listed(row: Row): ListedInvitation {
  const subject = row.subject === null ? null : subjectId(row.subject)
  return { ...userInvitationFromRow(row), usedAt: row.usedAt, subject }
}
