/** Browser sessions, by the digest of the cookie. */
import { lifetimeSeconds, storage } from '#lib/config/limits.ts'
import type { Session, Sessions } from '#lib/ports/sessions.ts'
import { secondsAfter } from '#lib/protocol/time.ts'
import { localProvider } from '#lib/protocol/vocabulary.ts'
import type { Session as SessionRow } from '#prisma/generated/sqlite/client.ts'
import type { Database, Tables } from '../../database.ts'
import { digest, parseStringList, sessionId, subjectId } from '../columns.ts'
import { equals } from '../equals.ts'
import { isAccountProven } from '../grants/account-proof.ts'

export function createSessions(database: Database): Sessions {
  return {
    create: (session, proof) =>
      database.$transaction(async tables => {
        if (!(await isAccountProven(tables, session.subject, proof))) return false
        if (!(await isProviderEnabled(tables, session.idp))) return false
        await tables.session.create({ data: sessionToRow(session) })
        return true
      }),
    find: async (digest, now) => {
      const row = await database.session.findUnique({ where: { digest } })
      return row && isSessionAlive(row, now) ? sessionFromRow(row) : null
    },
    touch: async (digest, now) => {
      const due = secondsAfter(now, -storage.sessionTouchSeconds)
      const where = { digest: equals(digest), lastSeenAt: { lte: due } }
      await database.session.updateMany({ where, data: { lastSeenAt: now } })
    },
    end: async digest => {
      const { count } = await database.session.deleteMany({ where: { digest: equals(digest) } })
      return count === 1
    },
    endAllOf: async subject => {
      const { count } = await database.session.deleteMany({ where: { subject: equals(subject) } })
      return count
    },
    allOf: async (subject, now) => {
      const where = { subject: equals(subject), expiresAt: { gt: now } }
      const rows = await database.session.findMany({ where, orderBy: { lastSeenAt: 'desc' } })
      return rows.filter(row => isSessionAlive(row, now)).map(sessionFromRow)
    },
  }
}

/** Writes the row it reads: a concurrent change of the provider waits for this transaction or came first. */
async function isProviderEnabled(tables: Tables, scheme: string): Promise<boolean> {
  if (scheme === localProvider) return true
  const where = { scheme: equals(scheme), enabled: true }
  const { count } = await tables.identityProvider.updateMany({ where, data: { version: { increment: 0 } } })
  return count === 1
}

/** SE-05: an absolute end that no use moves, and an idle one. */
export function isSessionAlive(row: SessionRow, now: Date): boolean {
  const idleSeconds = row.isPersistent ? lifetimeSeconds.rememberedSessionIdle : lifetimeSeconds.sessionIdle
  return row.expiresAt > now && row.lastSeenAt > secondsAfter(now, -idleSeconds)
}

function sessionToRow(session: Session): SessionRow {
  if (session.sessionId === null) throw new TypeError('a browser session has a session id')
  return {
    digest: session.digest,
    sessionId: session.sessionId,
    subject: session.subject,
    name: session.name,
    idp: session.idp,
    amr: JSON.stringify(session.amr),
    acr: session.acr,
    authenticatedAt: session.authenticatedAt,
    isPersistent: session.isPersistent,
    createdAt: session.createdAt,
    lastSeenAt: session.lastSeenAt,
    expiresAt: session.expiresAt,
    userAgent: session.userAgent,
    address: session.address,
  }
}

export function sessionFromRow(row: SessionRow): Session {
  return {
    ...row,
    digest: digest(row.digest),
    sessionId: sessionId(row.sessionId),
    subject: subjectId(row.subject),
    amr: parseStringList(row.amr),
  }
}
