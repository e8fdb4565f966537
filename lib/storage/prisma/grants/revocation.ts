/** Ends grants and tokens on the tables of one transaction (SE-06, RT-08). */

import { identityServer3SkewSeconds, revocationMarkSeconds } from '#lib/config/limits.ts'
import { secondsAfter } from '#lib/protocol/time.ts'
import type { Tables } from '../../database.ts'
import { equals } from '../rows.ts'

/** For a client that was disabled or deleted: the grants of users, and the tokens it got for itself. */
export async function endIssued(tables: Tables, clientId: string, now: Date): Promise<void> {
  await tables.grant.updateMany({ where: { clientId, revokedAt: null }, data: { revokedAt: now } })
  await forgetClients(tables, { clientId })
  await tables.referenceToken.deleteMany({ where: { clientId } })
  await markOwnTokens(tables, clientId, now)
}

/**
 * For clients that are enabled or created again: what was being issued when they were disabled or deleted was stored after
 * `endIssued`. NOTE: `nbf` has no fractions. The mark leaves out this second, so that the tokens that a client gets now are valid.
 */
export async function endIssuedLate(tables: Tables, clientIds: readonly string[], now: Date): Promise<void> {
  const theirs = { clientId: { in: [...clientIds] } }
  await tables.grant.updateMany({ where: { ...theirs, revokedAt: null }, data: { revokedAt: now } })
  await tables.referenceToken.deleteMany({ where: theirs })
  const before = new Date(Math.floor(now.getTime() / 1000) * 1000 - 1)
  const where = { jti: { in: clientIds.map(markOf) }, revokedAt: { lt: before } }
  await tables.revokedToken.updateMany({ where, data: markUntil(before) })
}

type ClientsOfSessions = {
  readonly subject?: string | undefined
  readonly clientId?: string | undefined
  readonly sessionId?: string | undefined
}

/** For clients that lost their access: those of the sessions that the fields select. Several fields narrow each other. */
export async function forgetClients(
  tables: Tables,
  { subject, clientId, sessionId }: ClientsOfSessions,
): Promise<void> {
  const where = clientId === undefined ? {} : { clientId: equals(clientId) }
  const ofSession = sessionId === undefined ? where : { ...where, sessionId: equals(sessionId) }
  if (subject === undefined) return void (await tables.sessionClient.deleteMany({ where: ofSession }))
  const whose = {
    subject: equals(subject),
    ...(sessionId === undefined ? {} : { sessionId: equals(sessionId) }),
  }
  const sessions = await tables.session.findMany({ where: whose, select: { sessionId: true } })
  const ids = sessions.map(session => session.sessionId)
  await tables.sessionClient.deleteMany({ where: { ...where, sessionId: { in: ids } } })
}

/** A grant that ended by then has no token that is accepted now: a JWT in the format of IdentityServer3 is for a while after its end. */
export function endOfAcceptance(now: Date): Date {
  return secondsAfter(now, -identityServer3SkewSeconds)
}

/** No `jti` contains a blank. */
export const markOfAll = 'own tokens'
export const markOf = (owner: string) => `${markOfAll} of ${owner}`

/**
 * Revokes the tokens without a grant: those that a client (`null`: each client) got for itself, and the JWTs of a user from the
 * server whose signing certificate was imported. JWTs are in no table, so the revoked tokens contain a mark: everything that was
 * issued before it is invalid. No user has the ID of a client.
 */
export async function markOwnTokens(tables: Tables, owner: string | null, now: Date): Promise<void> {
  const jti = owner === null ? markOfAll : markOf(owner)
  const times = markUntil(now)
  await tables.revokedToken.upsert({ where: { jti }, create: { jti, ...times }, update: times })
}

/** The times of a mark that revokes what was issued until then. */
function markUntil(time: Date) {
  return { expiresAt: secondsAfter(time, revocationMarkSeconds), revokedAt: time }
}
