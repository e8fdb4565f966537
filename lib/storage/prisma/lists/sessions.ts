/**
 * Live browser sessions in the order of their last use or of their sign-in; and the numbers of users, live sessions,
 * grants and consents: for one user, for one client or in all.
 */
import { countedAtMost, lifetimeSeconds } from '#lib/config/limits.ts'
import type { AdminLists, Counted, GrantFilter, SessionFilter, TimeOrder } from '#lib/ports/admin-lists.ts'
import { secondsAfter } from '#lib/protocol/time.ts'
import type { Session as SessionRow } from '#prisma/generated/sqlite/client.ts'
import type { Database } from '../../database.ts'
import { unexpired } from '../grants/consents.ts'
import { sessionFromRow } from '../identity/session-rows.ts'
import { equals, subjectId } from '../rows.ts'
import { liveGrants, ownedBy } from './grants.ts'
import { counted, pageByTime, restOf, type TimeWalk } from './page.ts'

type SessionOrder = TimeOrder<'last_active' | 'signed_in'>
const latestUsedFirst: SessionOrder = { by: 'last_active', isDescending: true }

export function createSessionLists(database: Database): Pick<AdminLists, 'sessions' | 'sessionOwner'> {
  return {
    sessions: async (filter, page, now, order) => {
      const sorted = order ?? latestUsedFirst
      const rows = await pageByTime(page, {
        isDescending: sorted.isDescending,
        read: async walk => {
          const kinds = [false, true].map(isPersistent =>
            readWalk(database, walk, { sorted, live: liveSessions(filter, isPersistent, now) }),
          )
          return inOrder((await Promise.all(kinds)).flat(), sorted)
        },
        positionOf: row => [timeOf(row, sorted), row.digest],
      })
      return { ...rows, items: rows.items.map(sessionFromRow) }
    },
    sessionOwner: async sessionId => {
      const row = await database.session.findFirst({ where: { sessionId: equals(sessionId) } })
      return row && subjectId(row.subject)
    },
  }
}

/** The conditions of a live session: it has not expired, and was used recently enough for its kind. */
function liveSessions(filter: SessionFilter, isPersistent: boolean, now: Date) {
  const idleSeconds = isPersistent ? lifetimeSeconds.rememberedSessionIdle : lifetimeSeconds.sessionIdle
  return {
    ...(filter.subject === null ? {} : { subject: equals(filter.subject) }),
    isPersistent,
    expiresAt: { gt: now },
    lastSeenAt: { gt: secondsAfter(now, -idleSeconds) },
  }
}

type Reading = { readonly sorted: SessionOrder; readonly live: ReturnType<typeof liveSessions> }

/**
 * Reads sessions of one kind. NOTE: the kinds are read separately because they have different idle timeouts: in a
 * common index scan, many expired sessions of one kind would have to be skipped.
 */
function readWalk(database: Database, walk: TimeWalk, { sorted, live }: Reading): Promise<SessionRow[]> {
  const byTime = <T>(is: T) => (sorted.by === 'signed_in' ? { authenticatedAt: is } : { lastSeenAt: is })
  return database.session.findMany({
    where: { AND: [live, restOf(walk, byTime, digest => ({ digest }))] },
    orderBy: [byTime(walk.direction), { digest: walk.direction }],
    take: walk.take,
  })
}

function timeOf(row: SessionRow, { by }: SessionOrder): Date {
  return by === 'signed_in' ? row.authenticatedAt : row.lastSeenAt
}

function inOrder(rows: readonly SessionRow[], sorted: SessionOrder): readonly SessionRow[] {
  const ascending = rows.toSorted((left, right) => {
    const later = timeOf(left, sorted).getTime() - timeOf(right, sorted).getTime()
    if (later !== 0) return later
    return left.digest < right.digest ? -1 : 1
  })
  return sorted.isDescending ? ascending.toReversed() : ascending
}

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
        users: usersAmong([grants, sessions]),
        grants: counted(grants.length),
        consents: counted(consents.length),
        sessions: counted(sessions.length),
      }
    },
  }
}

type Owned = readonly { readonly subject: string }[]

/**
 * Lists the live sessions of a user, or of all users: of each kind, only as many as are counted. A filter with a client
 * matches none, because a session does not belong to a client.
 */
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

/** Counts the distinct users of several lists. If a list was not read completely, there may be more. */
function usersAmong(lists: readonly Owned[]): Counted {
  const { count, isMore } = counted(new Set(lists.flat().map(row => row.subject)).size)
  return { count, isMore: isMore || lists.some(list => list.length > countedAtMost) }
}
