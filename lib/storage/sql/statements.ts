/** The plain statements. */
import { liveAtOnce } from '#lib/config/limits.ts'
import { locked, type Statement, unlockedOnly } from './statement.ts'
import {
  accountColumns,
  codeTable,
  consentTable,
  grantOfToken,
  grantTable,
  pendingTable,
  referenceTable,
  refreshTable,
  sessionTable,
  tokenColumns,
  userTable,
} from './tables.ts'

/** A grant with its user, read by `foundGrant`. */
const grantAndUser = `${grantTable.of('g')}, ${accountColumns.of('u')}`
const userOfGrant = 'LEFT JOIN "User" u ON u."subject" = g."subject"'

/** The same with fewer columns of the grant, read by `tokenGrant`. */
const tokenGrantAndUser = `${grantOfToken.of('g')}, ${accountColumns.of('u')}`

/** `keys`: see `Statement`; only changes need it. */
const statement = (sql: string, keys = 1): Statement => ({ sql, keys })

export const statements = {
  insertGrant: statement(grantTable.insert),
  insertCode: statement(codeTable.insert),
  insertRefreshToken: statement(refreshTable.insert),
  insertReferenceToken: statement(referenceTable.insert),

  /** $1 grant ID */
  grantById: statement(`SELECT ${grantAndUser} FROM "Grant" g ${userOfGrant} WHERE g."id" = $1`),

  /** $1 grant ID */
  grantIsNotRevoked: statement(`SELECT 1 FROM "Grant" WHERE "id" = $1 AND "revokedAt" IS NULL ${locked}`),

  /** $1 grant ID, $2 the later end */
  extendGrant: statement(
    `UPDATE "Grant" SET "expiresAt" = CASE WHEN "expiresAt" < $2 THEN $2 ELSE "expiresAt" END
     WHERE "id" = $1 AND "revokedAt" IS NULL RETURNING 1`,
  ),

  /** $1 digest */
  code: statement(
    `SELECT ${codeTable.of('c')}, ${grantAndUser}
     FROM "AuthorizationCode" c JOIN "Grant" g ON g."id" = c."grantId" ${userOfGrant} WHERE c."digest" = $1`,
  ),

  /** Succeeds for exactly one caller. $1 digest, $2 now */
  claimCode: statement(
    `UPDATE "AuthorizationCode" SET "usedAt" = $2 WHERE "digest" = $1 AND "usedAt" IS NULL RETURNING 1`,
  ),

  /** $1 digest */
  refreshToken: statement(
    `SELECT ${refreshTable.of('t')}, ${grantAndUser}
     FROM "RefreshToken" t JOIN "Grant" g ON g."id" = t."grantId" ${userOfGrant} WHERE t."digest" = $1`,
  ),

  /** Succeeds for exactly one caller. $1 digest, $2 now, $3 successor, $4 sealed answer, $5 end of the retry window */
  spendRefreshToken: statement(
    `UPDATE "RefreshToken" SET "spentAt" = $2, "successor" = $3, "sealedAnswer" = $4, "answerExpiresAt" = $5
     WHERE "digest" = $1 AND "spentAt" IS NULL RETURNING 1`,
  ),

  /** RT-01. $1 the successor that the answer contains */
  eraseAnswer: statement(
    `UPDATE "RefreshToken" SET "sealedAnswer" = NULL, "answerExpiresAt" = NULL WHERE "successor" = $1`,
  ),

  /** $1 digest, $2 the later end */
  slideRefreshToken: statement(
    `UPDATE "RefreshToken" SET "expiresAt" = $2 WHERE "digest" = $1 AND "expiresAt" < $2`,
  ),

  /** $1 digest */
  referenceToken: statement(
    `SELECT ${tokenColumns.of('t')}, ${tokenGrantAndUser}
     FROM "ReferenceToken" t LEFT JOIN "Grant" g ON g."id" = t."grantId" ${userOfGrant} WHERE t."digest" = $1`,
  ),

  /** $1 grant ID, $2 jti */
  signedTokenOfGrant: statement(
    `SELECT EXISTS (SELECT 1 FROM "RevokedToken" WHERE "jti" = $2), ${tokenGrantAndUser}
     FROM (SELECT 1) AS one LEFT JOIN "Grant" g ON g."id" = $1 ${userOfGrant}`,
  ),

  /** $1 jti, $2 and $3 the marks that revoke all tokens of the owner */
  signedTokenOfOwner: statement(
    `SELECT EXISTS (SELECT 1 FROM "RevokedToken" WHERE "jti" = $1),
       (SELECT "revokedAt" FROM "RevokedToken" WHERE "jti" = $2),
       (SELECT "revokedAt" FROM "RevokedToken" WHERE "jti" = $3)`,
  ),

  /** $1 subject */
  userBySubject: statement(`SELECT ${userTable.of('u')} FROM "User" u WHERE u."subject" = $1`),

  /** $1 canonical name */
  userByName: statement(`SELECT ${userTable.of('u')} FROM "User" u WHERE u."canonicalUsername" = $1`),

  /** The only one that has the address and a password. $1 verified email, canonical */
  userByEmail: statement(
    `SELECT ${userTable.of('u')} FROM "User" u
     WHERE u."verifiedEmail" = $1 AND u."passwordHash" IS NOT NULL AND NOT EXISTS (
       SELECT 1 FROM "User" o
       WHERE o."verifiedEmail" = $1 AND o."passwordHash" IS NOT NULL AND o."subject" <> u."subject"
     )`,
  ),

  /** $1 subject, $2 enabled, $3 password hash */
  accountIsUnchanged: statement(
    `SELECT 1 FROM "User" WHERE "subject" = $1 AND "enabled" = $2 AND "passwordHash" IS NOT DISTINCT FROM $3 ${locked}`,
  ),

  /** $1 subject */
  accountIsElsewhere: statement(`SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM "User" WHERE "subject" = $1)`),

  /** $1 session ID, $2 subject, $3 now */
  sessionIsLive: statement(
    `SELECT 1 FROM "Session" WHERE "sessionId" = $1 AND "subject" = $2 AND "expiresAt" > $3 ${locked}`,
  ),

  /** With the account, and the consent for a client. $1 digest, $2 client ID, $3 now */
  sessionByDigest: statement(
    `SELECT ${sessionTable.of('s')}, ${accountColumns.of('u')}, ${consentTable.of('c')}
     FROM "Session" s
     LEFT JOIN "User" u ON u."subject" = s."subject"
     LEFT JOIN "Consent" c ON c."subject" = s."subject" AND c."clientId" = $2
       AND (c."expiresAt" IS NULL OR c."expiresAt" > $3)
     WHERE s."digest" = $1`,
  ),

  /** $1 subject, $2 client ID, $3 scopes as they were read, $4 now */
  consentIsUnchanged: statement(
    `SELECT 1 FROM "Consent" WHERE "subject" = $1 AND "clientId" = $2 AND "scopes" = $3
       AND ("expiresAt" IS NULL OR "expiresAt" > $4) ${locked}`,
  ),

  insertSession: statement(sessionTable.insert),

  /** Succeeds for exactly one caller. $1 digest */
  deleteSession: statement(`DELETE FROM "Session" WHERE "digest" = $1 RETURNING 1`),

  /** Not those with offline access. $1 session ID, $2 now, $3 those that ended by then have no accepted tokens */
  revokeGrantsOfSession: statement(
    `UPDATE "Grant" SET "revokedAt" = $2
     WHERE "sessionId" = $1 AND "isOffline" = false AND "revokedAt" IS NULL AND "expiresAt" > $3`,
  ),

  /** $1 subject, $2 client ID, $3 now */
  consentOf: statement(
    `SELECT ${consentTable.of('c')} FROM "Consent" c
     WHERE c."subject" = $1 AND c."clientId" = $2 AND (c."expiresAt" IS NULL OR c."expiresAt" > $3)`,
    3,
  ),

  storeConsent: statement(
    `${consentTable.insert} ON CONFLICT ("subject", "clientId") DO UPDATE SET
       "scopes" = excluded."scopes", "updatedAt" = excluded."updatedAt", "expiresAt" = excluded."expiresAt"`,
    2,
  ),

  /** $1 subject, $2 client ID, $3 scopes as they were read, $4 new scopes, $5 now */
  narrowConsent: statement(
    `UPDATE "Consent" SET "scopes" = $4, "updatedAt" = $5
     WHERE "subject" = $1 AND "clientId" = $2 AND "scopes" = $3 RETURNING 1`,
    3,
  ),

  /** $1 subject, $2 client ID */
  removeConsent: statement(`DELETE FROM "Consent" WHERE "subject" = $1 AND "clientId" = $2`, 2),

  /** $1 scheme */
  providerIsEnabled: statement(
    `SELECT 1 FROM "IdentityProvider" WHERE "scheme" = $1 AND "enabled" = true ${locked}`,
  ),

  insertPending: statement(pendingTable.insert),

  /** LIM-06: deletes the oldest unanswered requests of a browser beyond the limit. $1 browser, $2 now */
  dropSurplusPending: statement(
    `DELETE FROM "PendingRequest" WHERE "digest" IN (
       SELECT "digest" FROM "PendingRequest"
       WHERE "browser" = $1 AND "finishedAt" IS NULL AND "expiresAt" > $2
       ORDER BY "createdAt" DESC, "digest" LIMIT 100 OFFSET ${liveAtOnce.pendingRequestsOfBrowser}
     )`,
  ),

  /** $1 digest, $2 browser */
  pendingOfBrowser: statement(
    `SELECT ${pendingTable.of('p')} FROM "PendingRequest" p WHERE p."digest" = $1 AND p."browser" = $2`,
  ),

  /** $1 digest, $2 subject */
  recordChoice: statement(
    `UPDATE "PendingRequest" SET "chosenSubject" = $2 WHERE "digest" = $1 AND "finishedAt" IS NULL`,
  ),

  /** $1 digest, $2 answer */
  recordConsent: statement(
    `UPDATE "PendingRequest" SET "consent" = $2 WHERE "digest" = $1 AND "finishedAt" IS NULL`,
  ),

  /** Succeeds for exactly one caller. $1 digest, $2 now */
  finishPending: statement(
    `UPDATE "PendingRequest" SET "finishedAt" = $2
     WHERE "digest" = $1 AND "finishedAt" IS NULL AND "expiresAt" > $2 RETURNING 1`,
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

  /** $1 ID */
  revision: statement(`SELECT "revision" FROM "ConfigurationRevision" WHERE "id" = $1`),

  /** $1 ID */
  rateLimitCounter: statement(`SELECT "attempts", "expiresAt" FROM "RateLimitCounter" WHERE "id" = $1`),

  /** Failures on several nodes add up. $1 ID, $2 end of a new window, $3 account, $4 limit, $5 now */
  countFailure: statement(
    `INSERT INTO "RateLimitCounter" ("id", "attempts", "expiresAt", "account", "most") VALUES ($1, 1, $2, $3, $4)
     ON CONFLICT ("id") DO UPDATE SET
       "attempts" = CASE WHEN "RateLimitCounter"."expiresAt" > $5 THEN "RateLimitCounter"."attempts" + 1 ELSE 1 END,
       "expiresAt" = CASE WHEN "RateLimitCounter"."expiresAt" > $5 THEN "RateLimitCounter"."expiresAt" ELSE $2 END,
       "account" = $3, "most" = $4`,
  ),

  /** $1 ID, $2 now */
  takeFailureBack: statement(
    `UPDATE "RateLimitCounter" SET "attempts" = "attempts" - 1 WHERE "id" = $1 AND "attempts" > 0 AND "expiresAt" > $2`,
  ),

  /** Last uses: $1 key, $2 time. */
  markClient: statement(`UPDATE "Client" SET "lastUsedAt" = $2 WHERE "clientId" = $1`),
  markUser: statement(`UPDATE "User" SET "lastSignInAt" = $2 WHERE "subject" = $1`),
  markSession: statement(`UPDATE "Session" SET "lastSeenAt" = $2 WHERE "digest" = $1 AND "lastSeenAt" < $2`),

  /** By the whole key: no other index finds one of many thousand secrets quickly. $1 owner, $2 secret, $3 time */
  markClientSecret: statement(
    `UPDATE "ClientSecret" SET "lastUsedAt" = $3 WHERE "clientId" = $1 AND "id" = $2`,
    2,
  ),
  /** Likewise, unless a client has that secret. */
  markScopeSecret: statement(
    `UPDATE "ScopeSecret" SET "lastUsedAt" = $3 WHERE "scopeName" = $1 AND "id" = $2
       AND NOT EXISTS (SELECT 1 FROM "ClientSecret" WHERE "clientId" = $1 AND "id" = $2)`,
    2,
  ),
}
