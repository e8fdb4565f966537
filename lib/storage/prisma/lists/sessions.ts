/** Live browser sessions, the latest used first. */
import { z } from 'zod'
import { countedAtMost, lifetimeSeconds } from '#lib/config/limits.ts'
import type { AdminLists, Counted, GrantFilter, PageRequest, SessionFilter } from '#lib/ports/admin-lists.ts'
import { secondsAfter } from '#lib/protocol/time.ts'
import type { Session as SessionRow } from '#prisma/generated/sqlite/client.ts'
import type { Database } from '../../database.ts'
import { unexpired } from '../grants/grants.ts'
import { sessionFromRow } from '../identity/sessions.ts'
import { equals, subjectId } from '../rows.ts'
import { liveGrants, ownedBy } from './grants.ts'
import { counted, momentSchema, pageOf, positionIn } from './page.ts'

const positionSchema = z.tuple([momentSchema, z.string()])
const orderBy = [{ lastSeenAt: 'desc' }, { digest: 'desc' }] as const

export function createSessionLists(database: Database): Pick<AdminLists, 'sessions' | 'sessionOwner'> {
  return {
    sessions: async (filter, page, now) => {
      const read = (isPersistent: boolean) => readOfKind(database, { filter, page, now, isPersistent })
      const [temporary, persistent] = await Promise.all([read(false), read(true)])
      const rows = [...temporary, ...persistent].toSorted(latestFirst)
      const { items, next } = pageOf(rows, page.limit, row => [row.lastSeenAt.getTime(), row.digest])
      return { items: items.map(sessionFromRow), next }
    },
    sessionOwner: async sessionId => {
      const row = await database.session.findFirst({ where: { sessionId: equals(sessionId) } })
      return row && subjectId(row.subject)
    },
  }
}

/** What makes a stored session live: it has not expired, and was used lately enough for its kind. */
function liveSessions(filter: SessionFilter, isPersistent: boolean, now: Date) {
  const idleSeconds = isPersistent ? lifetimeSeconds.rememberedSessionIdle : lifetimeSeconds.sessionIdle
  return {
    ...(filter.subject === null ? {} : { subject: equals(filter.subject) }),
    isPersistent,
    expiresAt: { gt: now },
    lastSeenAt: { gt: secondsAfter(now, -idleSeconds) },
  }
}

type Reading = {
  readonly filter: SessionFilter
  readonly page: PageRequest
  readonly now: Date
  readonly isPersistent: boolean
}

/** NOTE: each kind by itself is one walk along its index; together, those that are dead by idling would lie between. */
function readOfKind(database: Database, { filter, page, now, isPersistent }: Reading): Promise<SessionRow[]> {
  const live = liveSessions(filter, isPersistent, now)
  const position = positionIn(page.after, positionSchema)
  const where = position === null ? live : { AND: [live, beyond(position)] }
  return database.session.findMany({ where, orderBy: [...orderBy], take: page.limit + 1 })
}

function beyond([time, digest]: z.infer<typeof positionSchema>) {
  return { lastSeenAt: { lte: time }, OR: [{ lastSeenAt: { lt: time } }, { digest: { lt: digest } }] }
}

function latestFirst(left: SessionRow, right: SessionRow): number {
  const later = right.lastSeenAt.getTime() - left.lastSeenAt.getTime()
  if (later !== 0) return later
  return left.digest < right.digest ? 1 : -1
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
        users: usersAmong([grants, consents, sessions]),
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
function usersAmong(lists: readonly Owned[]): Counted {
  const { count, isMore } = counted(new Set(lists.flat().map(row => row.subject)).size)
  return { count, isMore: isMore || lists.some(list => list.length > countedAtMost) }
}
