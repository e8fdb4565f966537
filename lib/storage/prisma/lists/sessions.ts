/** Live browser sessions, the latest used first. */
import { z } from 'zod'
import { lifetimeSeconds } from '#lib/config/limits.ts'
import type { AdminLists, PageRequest, SessionFilter } from '#lib/ports/admin-lists.ts'
import { secondsAfter } from '#lib/protocol/time.ts'
import type { Session as SessionRow } from '#prisma/generated/sqlite/client.ts'
import type { Database } from '../../database.ts'
import { subjectId } from '../columns.ts'
import { equals } from '../equals.ts'
import { sessionFromRow } from '../identity/sessions.ts'
import { momentSchema, pageOf, positionIn } from './page.ts'

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
export function liveSessions(filter: SessionFilter, isPersistent: boolean, now: Date) {
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
