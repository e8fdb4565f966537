/** Revokes grants and tokens (SE-06, RT-08). */

import { identityServer3SkewSeconds, revocationMarkSeconds } from '#lib/config/limits.ts'
import { secondsAfter } from '#lib/protocol/time.ts'
import type { Tables } from '../../database.ts'
import { equals } from '../rows.ts'

/**
 * Revokes everything of a client that was disabled or deleted: the grants of users, and the tokens that the client got
 * for itself.
 */
export async function endIssued(tables: Tables, clientId: string, now: Date): Promise<void> {
  await tables.grant.updateMany({ where: { clientId, revokedAt: null }, data: { revokedAt: now } })
  await forgetClients(tables, { clientId })
  await tables.referenceToken.deleteMany({ where: { clientId } })
  await markOwnTokens(tables, clientId, now)
}

/**
 * Revokes what was issued late to clients that are enabled or created again: a request in progress can store its tokens
 * after `endIssued`. NOTE: `nbf` has whole seconds, so the mark excludes the current second: tokens that the client
 * gets now are valid.
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

/** Removes clients from sessions, for clients that lost their access. Several fields narrow the selection. */
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

/**
 * Returns the time before which a grant must have ended so that none of its tokens is accepted: a JWT in the format of
 * IdentityServer3 is accepted for a short time after its expiry.
 */
export function endOfAcceptance(now: Date): Date {
  return secondsAfter(now, -identityServer3SkewSeconds)
}

/** The ID of the mark for all clients. No real `jti` contains a space. */
export const markOfAll = 'own tokens'
export const markOf = (owner: string) => `${markOfAll} of ${owner}`

/**
 * Revokes the self-contained tokens without a grant: those that a client (`null`: every client) got for itself, and the
 * JWTs of a user from the server whose signing certificate was imported. They are not stored in a table, so a mark
 * among the revoked tokens invalidates all that were issued before it. No user has the ID of a client.
 */
export async function markOwnTokens(tables: Tables, owner: string | null, now: Date): Promise<void> {
  const jti = owner === null ? markOfAll : markOf(owner)
  const times = markUntil(now)
  await tables.revokedToken.upsert({ where: { jti }, create: { jti, ...times }, update: times })
}

/** The times of a mark that revokes all tokens issued until `time`. */
function markUntil(time: Date) {
  return { expiresAt: secondsAfter(time, revocationMarkSeconds), revokedAt: time }
}
