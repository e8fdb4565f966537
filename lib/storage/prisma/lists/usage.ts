/** What would end with a person, a client, or both together. */
import { countedAtMost } from '#lib/config/limits.ts'
import type { AdminLists, Counted, GrantFilter } from '#lib/ports/admin-lists.ts'
import type { Database } from '../../database.ts'
import { unexpired } from '../grants/consents.ts'
import { liveGrants, ownedBy } from './grants.ts'
import { counted } from './page.ts'
import { liveSessions } from './sessions.ts'

const take = countedAtMost + 1
const select = { subject: true } as const

export function createUsage(database: Database): Pick<AdminLists, 'usage'> {
  return {
    usage: async (filter, now) => {
      const grants = await database.grant.findMany({
        where: liveGrants(filter, now),
        orderBy: [{ revokedAt: 'desc' }, { createdAt: 'desc' }],
        select,
        take,
      })
      const consents = await database.consent.findMany({
        where: { AND: [ownedBy(filter), unexpired(now)] },
        orderBy: { updatedAt: 'desc' },
        select,
        take,
      })
      const sessions = await liveSessionsOf(database, filter, now)
      return {
        people: peopleAmong([grants, consents, sessions]),
        grants: counted(grants.length),
        consents: counted(consents.length),
        sessions: counted(sessions.length),
      }
    },
  }
}

type Owned = readonly { readonly subject: string }[]

/** A session belongs to no client: it stays when a client goes. */
async function liveSessionsOf(
  database: Database,
  { subject, clientId }: GrantFilter,
  now: Date,
): Promise<Owned> {
  if (clientId !== null) return []
  const read = (isPersistent: boolean) =>
    database.session.findMany({
      where: liveSessions({ subject }, isPersistent, now),
      orderBy: { lastSeenAt: 'desc' },
      select,
      take,
    })
  return [...(await read(false)), ...(await read(true))]
}

/** Where not everything was read, there may be more of them. */
function peopleAmong(lists: readonly Owned[]): Counted {
  const { count, isMore } = counted(new Set(lists.flat().map(row => row.subject)).size)
  return { count, isMore: isMore || lists.some(list => list.length > countedAtMost) }
}
