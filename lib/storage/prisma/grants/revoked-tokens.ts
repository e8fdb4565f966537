/** The `jti` of self-contained tokens that were revoked before their end. */
import { storage } from '#lib/config/limits.ts'
import type { RevokedTokens } from '#lib/ports/grants.ts'
import type { Database } from '../../database.ts'
import { batchedRead } from '../batched-read.ts'
import { markedAt, marksFor } from './own-tokens.ts'

export function createRevokedTokens(database: Database): RevokedTokens {
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
      const marks = await Promise.all(marksFor(clientId).map(read))
      const times = marks.flatMap(mark => (mark === null ? [] : [markedAt(mark).getTime()]))
      return times.length === 0 ? null : new Date(Math.max(...times))
    },
  }
}
