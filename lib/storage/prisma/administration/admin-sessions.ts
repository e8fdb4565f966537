/** Admin sessions, invitations of administrators, and one-time page state, each stored by the digest of its handle. */
import { adminSession as limits, storage } from '#lib/config/limits.ts'
import type {
  AdminInvitation,
  AdminInvitations,
  AdminPageState,
  AdminPageStates,
  AdminSession,
  AdminSessions,
} from '#lib/ports/administration.ts'
import type { Digest } from '#lib/protocol/ids.ts'
import { secondsAfter } from '#lib/protocol/time.ts'
import type {
  AdminSession as AdminSessionRow,
  AdminInvitation as InvitationRow,
} from '#prisma/generated/sqlite/client.ts'
import type { Database } from '../../database.ts'
import { expired, type Store } from '../../store.ts'
import { sessionFromRow } from '../identity/session-rows.ts'
import { isSessionAlive } from '../identity/sessions.ts'
import { branded, changesOne, equals } from '../rows.ts'
import { adminRole } from './administrators.ts'

export const adminSessionStore: Store<AdminSessions> = {
  create: database => ({
    create: async session => {
      await database.adminSession.create({ data: { ...session } })
      await sawAdministrator(database, session.subject, session.createdAt)
    },
    find: async (digest, now) => {
      const row = await database.adminSession.findUnique({ where: { digest } })
      if (row === null || !isAlive(row, now)) return null
      const browserSession = await browserSessionOf(database, row, now)
      if (browserSession === null) return null
      const role = await roleOf(database, row.subject)
      if (role === null) return null
      return { session: branded<AdminSession>(row), role: adminRole(role), browserSession }
    },
    touch: async (digest, now) => {
      const due = secondsAfter(now, -storage.sessionTouchSeconds)
      const where = { digest: equals(digest), lastSeenAt: { lte: due } }
      const { count } = await database.adminSession.updateMany({ where, data: { lastSeenAt: now } })
      if (count === 0) return
      const row = await database.adminSession.findUnique({ where: { digest } })
      if (row === null) return
      const { subject, sessionId } = row
      await database.session.updateMany({ where: { sessionId }, data: { lastSeenAt: now } })
      await sawAdministrator(database, subject, now)
    },
    end: digest => changesOne(database.adminSession.deleteMany({ where: { digest: equals(digest) } })),
  }),
  purge: [expired('admin_sessions', 'AdminSession')],
}

async function sawAdministrator(database: Database, subject: string, now: Date): Promise<void> {
  await database.administrator.updateMany({ where: { subject }, data: { lastSeenAt: now } })
}

function isAlive(row: AdminSessionRow, now: Date): boolean {
  return row.expiresAt > now && row.lastSeenAt > secondsAfter(now, -limits.idleSeconds)
}

/** Returns the digest of the browser session; `null` as soon as it has ended or belongs to another user. */
async function browserSessionOf(
  database: Database,
  { subject, sessionId }: AdminSessionRow,
  now: Date,
): Promise<Digest | null> {
  const session = await database.session.findUnique({ where: { sessionId } })
  if (session === null || session.subject !== subject || !isSessionAlive(session, now)) return null
  return sessionFromRow(session).digest
}

/** Returns the role; `null` as soon as the user is locked, or the role was removed. */
async function roleOf(database: Database, subject: string): Promise<string | null> {
  const user = await database.user.findUnique({ where: { subject } })
  if (user !== null && !user.enabled) return null
  return (await database.administrator.findUnique({ where: { subject } }))?.role ?? null
}

export const adminInvitationStore: Store<AdminInvitations> = {
  create: database => ({
    find: async (digest, now) => {
      const row = await database.adminInvitation.findUnique({ where: { digest } })
      return row !== null && row.expiresAt > now ? invitationFromRow(row) : null
    },
    all: async now => {
      const where = { expiresAt: { gt: now } }
      const rows = await database.adminInvitation.findMany({ where, orderBy: { createdAt: 'asc' } })
      return rows.map(invitationFromRow)
    },
  }),
  purge: [expired('invitations', 'AdminInvitation')],
}

function invitationFromRow(row: InvitationRow): AdminInvitation {
  return branded<AdminInvitation>({ ...row, role: adminRole(row.role) })
}

export const adminPageStateStore: Store<AdminPageStates> = {
  create: database => {
    const find: AdminPageStates['find'] = async (handle, sessionDigest, now) => {
      const row = await database.adminPageState.findUnique({ where: { digest: handle } })
      if (row === null || row.sessionDigest !== sessionDigest || row.expiresAt <= now) return null
      return branded<AdminPageState>(row)
    }
    return {
      create: async (state: AdminPageState) => {
        await database.adminPageState.create({ data: { ...state } })
      },
      find,
      take: async (handle, sessionDigest, now) => {
        const state = await find(handle, sessionDigest, now)
        if (state === null) return null
        const { count } = await database.adminPageState.deleteMany({ where: { digest: equals(handle) } })
        return count === 1 ? state : null
      },
    }
  },
  purge: [expired('forms', 'AdminFlash')],
}
