/** Browser sessions by the digest of their cookie, interrupted sign-ins, and sign-ins at identity providers. */
import { lifetimeSeconds, storage } from '#lib/config/limits.ts'
import type {
  ExternalSignIn,
  ExternalSignIns,
  PartialSignIn,
  PartialSignIns,
  Session,
  Sessions,
} from '#lib/ports/sessions.ts'
import { secondsAfter } from '#lib/protocol/time.ts'
import { localProvider } from '#lib/protocol/vocabulary.ts'
import type { Session as SessionRow } from '#prisma/generated/sqlite/client.ts'
import type { Tables } from '../../database.ts'
import { expired, type Store } from '../../store.ts'
import { branded, changesOne, equals, jsonColumns } from '../rows.ts'
import { passesAccountCheck } from './users.ts'

export const sessionStore: Store<Sessions> = {
  create: database => ({
    create: (session, accountCheck) =>
      database.$transaction(async tables => {
        if (!(await passesAccountCheck(tables, session.subject, accountCheck))) return false
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
    end: digest => changesOne(database.session.deleteMany({ where: { digest: equals(digest) } })),
    allOf: async (subject, now) => {
      const where = { subject: equals(subject), expiresAt: { gt: now } }
      const rows = await database.session.findMany({ where, orderBy: { lastSeenAt: 'desc' } })
      return rows.filter(row => isSessionAlive(row, now)).map(sessionFromRow)
    },
  }),
  purge: [expired('sessions', 'Session')],
}

/** Writes the row it reads: a concurrent change of the provider waits for this transaction or came first. */
async function isProviderEnabled(tables: Tables, scheme: string): Promise<boolean> {
  if (scheme === localProvider) return true
  const where = { scheme: equals(scheme), enabled: true }
  return changesOne(tables.identityProvider.updateMany({ where, data: { version: { increment: 0 } } }))
}

/** SE-05: an absolute end that no use moves, and an idle one. */
export function isSessionAlive(row: SessionRow, now: Date): boolean {
  const idleSeconds = row.isPersistent ? lifetimeSeconds.rememberedSessionIdle : lifetimeSeconds.sessionIdle
  return row.expiresAt > now && row.lastSeenAt > secondsAfter(now, -idleSeconds)
}

export const { toRow: sessionToRow, fromRow: sessionFromRow } = jsonColumns<Session, 'amr'>('amr')

export const partialSignInStore: Store<PartialSignIns> = {
  create: database => ({
    create: async signIn => {
      await database.partialSignIn.create({ data: partialSignInRows.toRow(signIn) })
    },
    find: async (digest, browser, now) => {
      const where = { digest: equals(digest), browser: equals(browser), expiresAt: { gt: now } }
      const row = await database.partialSignIn.findFirst({ where })
      return row && partialSignInRows.fromRow(row)
    },
    take: digest => changesOne(database.partialSignIn.deleteMany({ where: { digest: equals(digest) } })),
  }),
  purge: [expired('sign_ins', 'PartialSignIn')],
}

const partialSignInRows = jsonColumns<PartialSignIn, 'amr'>('amr')

export const externalSignInStore: Store<ExternalSignIns> = {
  create: database => ({
    create: async signIn => {
      await database.externalSignIn.create({ data: signIn })
    },
    take: async (state, browser, now) => {
      const where = { state: equals(state), browser: equals(browser), expiresAt: { gt: now } }
      const row = await database.externalSignIn.findFirst({ where })
      if (row === null) return null
      const { count } = await database.externalSignIn.deleteMany({ where })
      return count === 1 ? branded<ExternalSignIn>(row) : null
    },
  }),
  purge: [expired('sign_ins', 'ExternalSignIn')],
}
