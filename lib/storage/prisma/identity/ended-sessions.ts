/** Ends sessions, for every cause, and revokes the grants that end for this cause. */
import { z } from 'zod'
import type { EndCause } from '#lib/ports/sessions.ts'
import { Prisma } from '#prisma/generated/sqlite/client.ts'
import type { Dialect, Tables } from '../../database.ts'
import { endOfAcceptance, markOwnTokens } from '../grants/revocation.ts'
import { batchesOf, equals } from '../rows.ts'

/** Selects sessions. Several fields narrow the selection; `{}` selects all sessions. */
export type WhichSessions = {
  readonly subject?: string | undefined
  readonly sessionId?: string | undefined
  /** The scheme of the identity provider. */
  readonly idp?: string | undefined
  /**
   * The digest of the cookie that the session must still have. The grants of the session are revoked even if the cookie
   * differs.
   */
  readonly digest?: string | undefined
}

export type EndedSession = z.output<typeof endedSession> & { readonly clientIds: readonly string[] }

/** The event that listeners receive. */
export type SessionsEnded = {
  readonly cause: EndCause
  readonly at: Date
  readonly sessions: readonly EndedSession[]
}

/**
 * Called in the transaction that ends the sessions: the listener's writes are committed with the transaction or not at
 * all.
 */
type EndListener = (tables: Tables, ended: SessionsEnded) => Promise<void>

const endListeners: readonly EndListener[] = []

type Ending = {
  /**
   * The grants to revoke. `in_session`: those of the selected sessions, except offline grants. `all`: all of the
   * selection.
   */
  readonly revokes: 'in_session' | 'all' | 'none'
  /** Whether interrupted sign-ins end as well, unless the selection is one session. */
  readonly isWhole: boolean
  /** Whether the user is asked for the second factor again in browsers that were trusted. */
  readonly endsTrust?: true
}

const endings: Readonly<Record<EndCause, Ending>> = {
  signed_out: { revokes: 'in_session', isWhole: false },
  ended_by_user: { revokes: 'in_session', isWhole: false },
  too_many_accounts: { revokes: 'in_session', isWhole: false },
  user_inactive: { revokes: 'in_session', isWhole: false },
  ended_by_admin: { revokes: 'in_session', isWhole: true },
  password_changed: { revokes: 'all', isWhole: true, endsTrust: true },
  change_taken_back: { revokes: 'all', isWhole: true, endsTrust: true },
  account_disabled: { revokes: 'all', isWhole: true, endsTrust: true },
  user_deleted: { revokes: 'all', isWhole: true },
  provider_disabled: { revokes: 'all', isWhole: true },
  provider_unlinked: { revokes: 'all', isWhole: true },
  expired: { revokes: 'none', isWhole: false },
}

/** The ended sessions, each with its clients, and the number of revoked grants. */
type Ended = { readonly sessions: readonly EndedSession[]; readonly grants: number }

/**
 * Deletes the sessions, and revokes the grants that `endings` lists for the cause, in the transaction of `tables`.
 * Sessions are deleted first: from then on no grant can be created in them (SE-06), and their lists of clients are
 * complete. Throws a TypeError if a field has no value, which would select the rows of all users, or if `digest` is
 * given without `sessionId`.
 */
export async function endSessions(
  tables: Tables,
  which: WhichSessions,
  cause: EndCause,
  now: Date,
): Promise<Ended> {
  const { digest, ...selected } = which
  if (digest !== undefined && selected.sessionId === undefined)
    throw new TypeError('A cookie selects no grants.')
  const { revokes, isWhole, endsTrust = false } = endings[cause]
  const deleted = await deleteSessions(tables, conditions(which))
  const sessions = await announceEnd(tables, deleted, cause, now)
  const whose = Object.fromEntries(Object.entries(selected).map(([name, value]) => [name, equals(value)]))
  if (isWhole && selected.sessionId === undefined) await tables.partialSignIn.deleteMany({ where: whose })
  if (endsTrust && selected.subject !== undefined)
    await tables.trustedBrowser.deleteMany({ where: { subject: equals(selected.subject) } })
  if (revokes === 'none') return { sessions, grants: 0 }
  const inSession = {
    sessionId: { not: null },
    ...whose,
    isOffline: false,
    expiresAt: { gt: endOfAcceptance(now) },
  }
  const where = { ...(revokes === 'all' ? whose : inSession), revokedAt: null }
  const { count } = await tables.grant.updateMany({ where, data: { revokedAt: now } })
  // With a provider, only the grants that it began are revoked
  const wholeUser = selected.idp === undefined ? selected.subject : undefined
  if (revokes === 'all' && wholeUser !== undefined) await markOwnTokens(tables, wholeUser, now)
  return { sessions, grants: count }
}

/** One step of the purge: ends at most `rows` sessions whose absolute expiry has passed. Returns their number. */
export async function endExpiredSessions(
  tables: Tables,
  dialect: Dialect,
  { now, rows }: { readonly now: Date; readonly rows: number },
): Promise<number> {
  const unlocked = Prisma.raw(dialect === 'sqlite' ? '' : 'FOR UPDATE SKIP LOCKED')
  const due = Prisma.sql`SELECT "digest" FROM "Session" WHERE "expiresAt" <= ${now} LIMIT ${rows} ${unlocked}`
  const deleted = await deleteSessions(tables, Prisma.sql`"digest" IN (${due})`)
  return (await announceEnd(tables, deleted, 'expired', now)).length
}

function conditions(which: WhichSessions): Prisma.Sql {
  const each = Object.entries(which).map(
    ([name, value]) => Prisma.sql`${Prisma.raw(`"${name}"`)} = ${equals(value).equals}`,
  )
  return each.length === 0 ? Prisma.sql`true` : Prisma.join(each, ' AND ')
}

const endedSession = z.object({ sessionId: z.string(), subject: z.string(), idp: z.string() })
type DeletedSession = z.output<typeof endedSession>

async function deleteSessions(tables: Tables, where: Prisma.Sql): Promise<readonly DeletedSession[]> {
  const rows = await tables.$queryRaw(
    Prisma.sql`DELETE FROM "Session" WHERE ${where} RETURNING "sessionId", "subject", "idp"`,
  )
  return z.array(endedSession).parse(rows)
}

/** Deletes the client lists of sessions that were just deleted, and calls the listeners. */
async function announceEnd(
  tables: Tables,
  deleted: readonly DeletedSession[],
  cause: EndCause,
  at: Date,
): Promise<readonly EndedSession[]> {
  if (deleted.length === 0) return []
  const clients = await deleteClients(tables, deleted)
  const sessions = deleted.map(session => ({
    ...session,
    clientIds: clients.get(session.sessionId)?.map(({ clientId }) => clientId) ?? [],
  }))
  for (const listener of endListeners) await listener(tables, { cause, at, sessions })
  return sessions
}

const clientOfSession = z.object({ sessionId: z.string(), clientId: z.string() })

async function deleteClients(tables: Tables, sessions: readonly DeletedSession[]) {
  const deleted: z.output<typeof clientOfSession>[] = []
  for (const batch of batchesOf(sessions)) {
    const ids = Prisma.join(batch.map(({ sessionId }) => sessionId))
    const rows = await tables.$queryRaw(
      Prisma.sql`DELETE FROM "SessionClient" WHERE "sessionId" IN (${ids}) RETURNING "sessionId", "clientId"`,
    )
    deleted.push(...z.array(clientOfSession).parse(rows))
  }
  return Map.groupBy(deleted, ({ sessionId }) => sessionId)
}
