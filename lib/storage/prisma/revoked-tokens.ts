/** The `jti` of self-contained tokens that were revoked before their end. */
import type { RevokedTokens } from '#lib/ports/grants.ts'
import type { Client } from '../client.ts'

export function createRevokedTokens(client: Client): RevokedTokens {
  return {
    add: async (jti, expiresAt) => {
      const create = { jti, expiresAt }
      await client.revokedToken.upsert({ where: { jti }, create, update: { expiresAt } })
    },
    has: async jti => (await client.revokedToken.findUnique({ where: { jti } })) !== null,
  }
}
