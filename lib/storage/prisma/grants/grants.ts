/** Grants, the stored authorizations of users, and the authorization codes with which most grants begin. */
import { identityServer3SkewSeconds, liveAtOnce } from '#lib/config/limits.ts'
import type {
  AuthorizationCode,
  AuthorizationCodes,
  Grant,
  GrantOpening,
  GrantPreconditions,
  GrantSelection,
  Grants,
} from '#lib/ports/grants.ts'
import type { AuthorizationCode as CodeRow } from '#prisma/generated/sqlite/client.ts'
import type { Database } from '../../database.ts'
import { isMissing } from '../../database-errors.ts'
import { type Bound, locked, statement, unlockedOnly } from '../../sql/statement.ts'
import { table } from '../../sql/table.ts'
import { expired, type Store } from '../../store.ts'
import { finishPending } from '../identity/pending-requests.ts'
import { recordClient } from '../identity/session-clients.ts'
import { accountCondition } from '../identity/users.ts'
import { branded, equals } from '../rows.ts'
import { consentCondition } from './consents.ts'
import { foundGrant, grantAndUser, grantFromRow, grantTable, grantToRow, userOfGrant } from './grant-rows.ts'
import { endOfAcceptance, forgetClients } from './revocation.ts'
import { storeTokens } from './tokens.ts'

export const grantStore: Store<Grants> = {
  create: database => ({
    open: (grant, preconditions = noPreconditions) =>
      openIfValid(database, { grant, preconditions }, [insertGrant(grant)]),
    find: async id => {
      const cells = await database.$first(statements.grantById, [id])
      return cells && foundGrant(cells, 0)
    },
    revoke: async (selection, now) => {
      const where = { ...selectedBy(selection), revokedAt: null, expiresAt: { gt: endOfAcceptance(now) } }
      const { count } = await database.grant.updateMany({ where, data: { revokedAt: now } })
      if ('subject' in selection) await forgetClients(database, selection)
      return count
    },
    liveOf: async (subject, now) => {
      const where = { subject: equals(subject), revokedAt: null, expiresAt: { gt: now } }
      const rows = await database.grant.findMany({ where, orderBy: { createdAt: 'desc' } })
      return rows.map(grantFromRow)
    },
  }),
  purge: [expired('grants', 'Grant', identityServer3SkewSeconds)],
}

/**
 * Builds the condition of a selection. NOTE: an undefined value would drop its condition and select the grants of all
 * users.
 */
function selectedBy(selection: GrantSelection) {
  if ('id' in selection) return { id: equals(selection.id) }
  if (selection.clientId === undefined) return { subject: equals(selection.subject) }
  return { subject: equals(selection.subject), clientId: equals(selection.clientId) }
}

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
    // Codes that were not redeemed are deleted with their grants, for which no token was issued
    {
      ...expired('codes', 'AuthorizationCode'),
      condition: '"usedAt" IS NULL',
      owner: { table: 'Grant', key: 'id', foreignKey: 'grantId' },
    },
    { ...expired('codes', 'AuthorizationCode'), condition: '"usedAt" IS NOT NULL' },
  ],
}

const noPreconditions: GrantPreconditions = { consent: null, pendingDigest: null }

type NewGrant = { readonly grant: Grant; readonly preconditions: GrantPreconditions }

/**
 * Stores a grant, and its code if `writes` contains one, if the session, the consent, the account and the pending
 * request allow it, in one transaction with these checks. A concurrent transaction that ends one of them either waits
 * for this one, or its change is found by the checks.
 */
async function openIfValid(
  database: Database,
  { grant, preconditions }: NewGrant,
  writes: readonly Bound[],
): Promise<GrantOpening> {
  const { account: check, consent, pendingDigest } = preconditions
  const { subject, sessionId, createdAt } = grant
  // `undefined`: no condition on the account. `null`: the account must not get the grant
  const account = check && (await accountCondition(database, subject, check))
  if (account === null) return 'revoked'
  const failed = await database.$change({
    conditions: {
      account: account ?? null,
      session: sessionId === null ? null : [statements.sessionIsLive, [sessionId, subject, createdAt]],
      consent: consent && consentCondition(consent, grant),
      pending: pendingDigest === null ? null : [finishPending, [pendingDigest, createdAt]],
    },
    writes: sessionId === null ? writes : [recordClient(sessionId, grant), ...writes],
  })
  if (failed === null) return 'opened'
  return failed === 'pending' ? 'finished' : 'revoked'
}

function insertGrant(grant: Grant): Bound {
  return [statements.insertGrant, grantTable.values(grantToRow(grant))]
}

async function countFailure(database: Database, digest: string): Promise<number> {
  try {
    const data = { failedAttempts: { increment: 1 } }
    const row = await database.authorizationCode.update({ where: { digest }, data })
    return row.failedAttempts
  } catch (error) {
    // The code was purged in the meantime: there is nothing to count or to redeem
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

const codeTable = table<CodeRow>('AuthorizationCode', {
  expiresAt: 'time',
  usedAt: 'time',
})

const statements = {
  insertGrant: statement(grantTable.insert),

  /** $1 grant ID */
  grantById: statement(`SELECT ${grantAndUser} FROM "Grant" g ${userOfGrant} WHERE g."id" = $1`),

  /** $1 session ID, $2 subject, $3 now */
  sessionIsLive: statement(
    `SELECT 1 FROM "Session" WHERE "sessionId" = $1 AND "subject" = $2 AND "expiresAt" > $3 ${locked}`,
  ),

  insertCode: statement(codeTable.insert),

  /** $1 digest */
  code: statement(
    `SELECT ${codeTable.of('c')}, ${grantAndUser}
     FROM "AuthorizationCode" c JOIN "Grant" g ON g."id" = c."grantId" ${userOfGrant} WHERE c."digest" = $1`,
  ),

  /** Marks a code as used. Succeeds for exactly one caller. $1 digest, $2 now */
  claimCode: statement(
    `UPDATE "AuthorizationCode" SET "usedAt" = $2 WHERE "digest" = $1 AND "usedAt" IS NULL RETURNING 1`,
  ),

  /**
   * LIM-06: deletes the oldest codes so that one more does not exceed the limit, with their grants, for which no token
   * was issued. A code that is being redeemed is kept. $1 subject, $2 client ID, $3 now
   */
  dropSurplusCodes: statement(
    `DELETE FROM "Grant" WHERE "id" IN (
       SELECT g."id" FROM "AuthorizationCode" c JOIN "Grant" g ON g."id" = c."grantId"
       WHERE c."subject" = $1 AND c."clientId" = $2 AND c."usedAt" IS NULL AND c."expiresAt" > $3
       ORDER BY c."expiresAt" DESC, c."digest" LIMIT 100 OFFSET ${liveAtOnce.codes - 1} ${unlockedOnly}
     )`,
  ),
}
