/** Authorization codes, by the digest of what the client holds. */
import type { AuthorizationCode, AuthorizationCodes } from '#lib/ports/grants.ts'
import type { AuthorizationCode as CodeRow } from '#prisma/generated/sqlite/client.ts'
import type { Client } from '../client.ts'
import { isMissing } from '../row-errors.ts'
import { clientId, digest, grantId } from './columns.ts'
import { exactly } from './exactly.ts'
import { grantToRow } from './grants.ts'
import { noBasis, whileStanding } from './standing-basis.ts'

export function createAuthorizationCodes(client: Client): AuthorizationCodes {
  return {
    issue: (code, grant, basis = noBasis) => {
      const { grantId: _, ...columns } = codeToRow(code)
      const data = { ...grantToRow(grant), codes: { create: columns } }
      return whileStanding(client, { grant, basis }, tables => tables.grant.create({ data }))
    },
    find: async digest => {
      const row = await client.authorizationCode.findUnique({ where: { digest } })
      return row && codeFromRow(row)
    },
    claim: async (digest, now) => {
      const { count } = await client.authorizationCode.updateMany({
        where: { digest: exactly(digest), usedAt: null },
        data: { usedAt: now },
      })
      return count === 1
    },
    countFailure: digest => countFailure(client, digest),
  }
}

async function countFailure(client: Client, digest: string): Promise<number> {
  try {
    const data = { failedAttempts: { increment: 1 } }
    const row = await client.authorizationCode.update({ where: { digest }, data })
    return row.failedAttempts
  } catch (error) {
    // Purged meanwhile: nothing is left to count or to redeem.
    if (isMissing(error)) return 0
    throw error
  }
}

function codeToRow(code: AuthorizationCode): CodeRow {
  return {
    digest: code.digest,
    grantId: code.grantId,
    clientId: code.clientId,
    redirectUri: code.redirectUri,
    nonce: code.nonce,
    codeChallenge: code.codeChallenge,
    expiresAt: code.expiresAt,
    usedAt: code.usedAt,
    failedAttempts: code.failedAttempts,
  }
}

function codeFromRow(row: CodeRow): AuthorizationCode {
  return {
    ...row,
    digest: digest(row.digest),
    grantId: grantId(row.grantId),
    clientId: clientId(row.clientId),
  }
}
