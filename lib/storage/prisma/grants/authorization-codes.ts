/** Authorization codes, by the digest of the code. */
import { liveAtOnce } from '#lib/config/limits.ts'
import type { AuthorizationCode, AuthorizationCodes, Grant } from '#lib/ports/grants.ts'
import type { AuthorizationCode as CodeRow } from '#prisma/generated/sqlite/client.ts'
import type { Database } from '../../database.ts'
import { isMissing } from '../../database-errors.ts'
import { statement, unlockedOnly } from '../../sql/statement.ts'
import { table } from '../../sql/table.ts'
import { expired, type Store } from '../../store.ts'
import { branded } from '../rows.ts'
import { foundGrant, grantAndUser, insertGrant, noPreconditions, openIfValid, userOfGrant } from './grants.ts'
import { storeTokens } from './tokens.ts'

export const authorizationCodeStore: Store<AuthorizationCodes> = {
  create: database => ({
    issue: (code, grant, preconditions = noPreconditions) =>
      openIfValid(database, { grant, preconditions }, [
        [statements.dropSurplusCodes, [grant.subject, grant.clientId, grant.createdAt]],
        insertGrant(grant),
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

const codeTable = table<CodeRow>('AuthorizationCode', {
  expiresAt: 'time',
  usedAt: 'time',
})

const statements = {
  insertCode: statement(codeTable.insert),

  /** $1 digest */
  code: statement(
    `SELECT ${codeTable.of('c')}, ${grantAndUser}
     FROM "AuthorizationCode" c JOIN "Grant" g ON g."id" = c."grantId" ${userOfGrant} WHERE c."digest" = $1`,
  ),

  /** Succeeds for exactly one caller. $1 digest, $2 now */
  claimCode: statement(
    `UPDATE "AuthorizationCode" SET "usedAt" = $2 WHERE "digest" = $1 AND "usedAt" IS NULL RETURNING 1`,
  ),

  /**
   * LIM-06: deletes the oldest codes beyond the limit with their grants, on which nothing was issued; one more is about to be
   * stored. One that is being redeemed stays. $1 subject, $2 client ID, $3 now
   */
  dropSurplusCodes: statement(
    `DELETE FROM "Grant" WHERE "id" IN (
       SELECT g."id" FROM "AuthorizationCode" c JOIN "Grant" g ON g."id" = c."grantId"
       WHERE c."subject" = $1 AND c."clientId" = $2 AND c."usedAt" IS NULL AND c."expiresAt" > $3
       ORDER BY c."expiresAt" DESC, c."digest" LIMIT 100 OFFSET ${liveAtOnce.codes - 1} ${unlockedOnly}
     )`,
  ),
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
