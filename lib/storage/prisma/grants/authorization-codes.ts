/** Authorization codes, by the digest of the code. */
import type { AuthorizationCode, AuthorizationCodes, Grant } from '#lib/ports/grants.ts'
import type { AuthorizationCode as CodeRow } from '#prisma/generated/sqlite/client.ts'
import type { Database } from '../../database.ts'
import { isMissing } from '../../database-errors.ts'
import { statements } from '../../sql/statements.ts'
import { codeTable, grantTable } from '../../sql/tables.ts'
import { expired, type Store } from '../../store.ts'
import { branded } from '../rows.ts'
import { foundGrant, grantToRow, noPreconditions, openIfValid } from './grants.ts'
import { storeTokens } from './tokens.ts'

export const authorizationCodeStore: Store<AuthorizationCodes> = {
  create: database => ({
    issue: (code, grant, preconditions = noPreconditions) =>
      openIfValid(database, { grant, preconditions }, [
        [statements.dropSurplusCodes, [grant.subject, grant.clientId, grant.createdAt]],
        [statements.insertGrant, grantTable.values(grantToRow(grant))],
        [statements.insertCode, codeTable.values(codeToRow(code, grant))],
      ]),
    find: async digest => {
      const cells = await database.$first(statements.code, [digest])
      const row = cells && codeTable.read(cells)
      const grant = cells && foundGrant(cells, codeTable.width)
      return row && grant && { ...codeFromRow(row), grant }
    },
    redeem: (digest, issued, now) =>
      storeTokens(database, issued, { condition: [statements.claimCode, [digest, now]], writes: [] }),
    countFailure: digest => countFailure(database, digest),
  }),
  purge: [
    // Those that were not redeemed, with their grants, on which nothing was issued
    {
      ...expired('codes', 'AuthorizationCode'),
      condition: '"usedAt" IS NULL',
      owner: { table: 'Grant', key: 'id', foreignKey: 'grantId' },
    },
    { ...expired('codes', 'AuthorizationCode'), condition: '"usedAt" IS NOT NULL' },
  ],
}

async function countFailure(database: Database, digest: string): Promise<number> {
  try {
    const data = { failedAttempts: { increment: 1 } }
    const row = await database.authorizationCode.update({ where: { digest }, data })
    return row.failedAttempts
  } catch (error) {
    // Purged in the meantime: there is nothing to count or to redeem.
    if (isMissing(error)) return 0
    throw error
  }
}

function codeToRow(code: AuthorizationCode, { subject }: Grant): CodeRow {
  return { ...code, subject }
}

function codeFromRow({ subject: _, ...row }: CodeRow): AuthorizationCode {
  return branded<AuthorizationCode>(row)
}
