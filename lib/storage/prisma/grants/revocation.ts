/** Ends sessions, grants and tokens on the tables of one transaction (SE-06, RT-08). */

import { clockSkewSeconds, longestLifetimeSeconds, storage } from '#lib/config/limits.ts'
import type { RevokedTokens } from '#lib/ports/grants.ts'
import { secondsAfter } from '#lib/protocol/time.ts'
import type { Tables } from '../../database.ts'
import type { Store } from '../../store.ts'
import { batchedRead } from '../reads.ts'
import { equals } from '../rows.ts'

/** For a user whose password was changed or whose account was locked. */
export async function endEverything(tables: Tables, subject: string, now: Date): Promise<void> {
  await tables.session.deleteMany({ where: { subject } })
  await tables.partialSignIn.deleteMany({ where: { subject } })
  await tables.grant.updateMany({ where: { subject, revokedAt: null }, data: { revokedAt: now } })
}

/** For a client that was disabled or deleted: the grants of users, and the tokens it got for itself. */
export async function endIssued(tables: Tables, clientId: string, now: Date): Promise<void> {
  await tables.grant.updateMany({ where: { clientId, revokedAt: null }, data: { revokedAt: now } })
  await tables.referenceToken.deleteMany({ where: { clientId } })
  await markOwnTokens(tables, clientId, now)
}

/** For all users who signed in with a provider that was disabled or deleted. Their accounts stay. */
export async function endSignedInAt(tables: Tables, scheme: string, now: Date): Promise<void> {
  const idp = equals(scheme)
  await tables.session.deleteMany({ where: { idp } })
  await tables.partialSignIn.deleteMany({ where: { idp } })
  await tables.grant.updateMany({ where: { idp, revokedAt: null }, data: { revokedAt: now } })
}

/** By then every token that was issued before the mark has expired. */
const markSeconds = longestLifetimeSeconds.accessToken + clockSkewSeconds

/** No `jti` contains a blank. */
const markOfAll = 'own tokens'
const markOf = (clientId: string) => `${markOfAll} of ${clientId}`

/**
 * Revokes the tokens that a client (`null`: each client) got for itself. They have no grant, and JWTs are in no table, so the
 * revoked tokens contain a mark: everything that was issued before it is invalid.
 */
export async function markOwnTokens(tables: Tables, clientId: string | null, now: Date): Promise<void> {
  const jti = clientId === null ? markOfAll : markOf(clientId)
  const times = { expiresAt: secondsAfter(now, markSeconds), revokedAt: now }
  await tables.revokedToken.upsert({ where: { jti }, create: { jti, ...times }, update: times })
}

/** Self-contained tokens that were revoked before their end, by `jti`. */
export const revokedTokenStore: Store<RevokedTokens> = {
  create: database => {
    const read = batchedRead(async jtis => {
      const rows = await database.revokedToken.findMany({ where: { jti: { in: jtis } } })
      return new Map(rows.map(row => [row.jti, row]))
    }, storage.batchedReads)
    return {
      add: async (jti, expiresAt) => {
        const create = { jti, expiresAt }
        await database.revokedToken.upsert({ where: { jti }, create, update: { expiresAt } })
      },
      has: async jti => (await read(jti)) !== null,
      ownRevokedAt: async clientId => {
        const marks = await Promise.all([markOfAll, markOf(clientId)].map(read))
        const times = marks.flatMap(mark => mark?.revokedAt?.getTime() ?? [])
        return times.length === 0 ? null : new Date(Math.max(...times))
      },
    }
  },
  purge: [['revoked_tokens', (database, expired) => database.revokedToken.deleteMany(expired)]],
}
