/** Refresh tokens and reference access tokens by the digest of the token, and revoked self-contained tokens. */

import { storage } from '#lib/config/limits.ts'
import type {
  FoundReferenceToken,
  FoundRefreshToken,
  IssuedTokens,
  ReferenceToken,
  ReferenceTokens,
  RefreshToken,
  RefreshTokens,
  RevokedTokens,
  Tokens,
} from '#lib/ports/grants.ts'
import { timePrefixLength } from '#lib/protocol/ids.ts'
import { latestOf } from '#lib/protocol/time.ts'
import type {
  ReferenceToken as ReferenceRow,
  RefreshToken as RefreshRow,
} from '#prisma/generated/sqlite/client.ts'
import type { Database } from '../../database.ts'
import { type Bound, locked, statement } from '../../sql/statement.ts'
import { table, timeOf } from '../../sql/table.ts'
import { expired, type Store } from '../../store.ts'
import { groupCommit } from '../group-commit.ts'
import { changesOne, equals, grantId, insertRows, jsonColumns } from '../rows.ts'
import { foundGrant, grantAndUser, tokenGrant, tokenGrantAndUser, userOfGrant } from './grant-rows.ts'
import { markOf, markOfAll } from './revocation.ts'

export const tokenStore: Store<Tokens> = {
  create: database => {
    if (database.dialect === 'sqlite') return { store: issued => storeTokens(database, issued) }
    const storeOwn = groupedReferenceTokens(database)
    return {
      store: async issued => {
        const { grantId, referenceToken } = issued
        if (grantId !== null || !referenceToken) return storeTokens(database, issued)
        await storeOwn(referenceToken)
        return true
      },
    }
  },
}

/**
 * Returns a function that stores reference tokens that clients got for themselves. Storing them depends on no
 * condition, so many requests share one statement. Decision 063 has the figures.
 */
function groupedReferenceTokens(database: Database): (token: ReferenceToken) => Promise<void> {
  const insert = insertRows<ReferenceRow>(database.dialect, 'ReferenceToken')
  const store = groupCommit<ReferenceRow>(
    {
      many: rows => database.$insertTogether([insert(rows)]),
      one: data => database.referenceToken.create({ data }),
    },
    { size: storage.groupedWrites, underWay: storage.groupsUnderWay },
  )
  return token => store(referenceToRow(token))
}

/** A condition that only one of several concurrent callers meets, and the writes that depend on it. */
type Claim = { readonly condition: Bound; readonly writes: readonly Bound[] }

/**
 * Stores tokens if their grant is not revoked and the claim succeeds. NOTE: the grant is locked first: deleting a grant
 * also locks it before its codes.
 */
export async function storeTokens(
  database: Database,
  issued: IssuedTokens,
  claim: Claim | null = null,
): Promise<boolean> {
  const { grantId, grantExpiresAt = null } = issued
  const writes = [...(claim?.writes ?? []), ...rowsOf(issued)]
  if (claim === null && writes.length === 0 && grantExpiresAt === null) return true
  const grant = grantId === null ? null : grantCondition(grantId, grantExpiresAt)
  const conditions = { grant, claim: claim?.condition ?? null }
  return (await database.$change({ conditions, writes })) === null
}

function grantCondition(id: string, expiresAt: Date | null): Bound {
  return expiresAt === null ? [statements.grantIsNotRevoked, [id]] : [statements.extendGrant, [id, expiresAt]]
}

function rowsOf({ refreshToken, referenceToken, slid }: IssuedTokens): readonly Bound[] {
  const rows: Bound[] = []
  if (refreshToken)
    rows.push([statements.insertRefreshToken, refreshTable.values(refreshToRow(refreshToken))])
  if (referenceToken)
    rows.push([statements.insertReferenceToken, referenceTable.values(referenceToRow(referenceToken))])
  if (slid) rows.push([statements.slideRefreshToken, [slid.digest, slid.expiresAt]])
  return rows
}

export const refreshTokenStore: Store<RefreshTokens> = {
  create: database => ({
    find: async digest =>
      (await findRefreshToken(database, digest)) ??
      (await findRefreshToken(database, withoutTimePrefix(digest))),
    // RT-02: the old token becomes invalid in the change that stores its successor
    rotate: (used, issued, now) => {
      const { digest, sealedAnswer, answerExpiresAt } = used
      const successor = issued.refreshToken.digest
      return storeTokens(database, issued, {
        condition: [statements.consumeRefreshToken, [digest, now, successor, sealedAnswer, answerExpiresAt]],
        writes: [[statements.eraseAnswer, [digest]]],
      })
    },
    lastIssuedAt: async grants => {
      const rows = await database.refreshToken.findMany({
        where: { grantId: { in: [...grants] }, spentAt: null },
        orderBy: { createdAt: 'asc' },
        select: { grantId: true, createdAt: true },
      })
      return new Map(rows.map(row => [grantId(row.grantId), row.createdAt]))
    },
  }),
  purge: [
    expired('refresh_tokens', 'RefreshToken'),
    // RT-01: erases the stored refresh responses after the retry window
    {
      label: null,
      table: 'RefreshToken',
      column: 'answerExpiresAt',
      until: now => now,
      erases: ['sealedAnswer', 'answerExpiresAt'],
    },
  ],
}

async function findRefreshToken(database: Database, digest: string): Promise<FoundRefreshToken | null> {
  const cells = await database.$first(statements.refreshToken, [digest])
  const row = cells && refreshTable.read(cells)
  const grant = cells && foundGrant(cells, refreshTable.width)
  return row && grant && { ...refreshFromRow(row), grant }
}

/** Returns the key under which a refresh token was stored before keys began with the time. */
function withoutTimePrefix(digest: string): string {
  return digest.slice(timePrefixLength)
}

export const { toRow: refreshToRow, fromRow: refreshFromRow } = jsonColumns<
  RefreshToken,
  'accessTokenClaims'
>('accessTokenClaims')

export const referenceTokenStore: Store<ReferenceTokens> = {
  create: database => ({
    find: async digest => {
      const cells = await database.$first(statements.referenceToken, [digest])
      const row = cells && tokenColumns.read(cells)
      return row && { ...tokenFromRow(row), grant: tokenGrant(cells, tokenColumns.width) }
    },
    remove: digest => changesOne(database.referenceToken.deleteMany({ where: { digest: equals(digest) } })),
  }),
  purge: [expired('reference_tokens', 'ReferenceToken')],
}

export const { toRow: referenceToRow } = jsonColumns<ReferenceToken, 'claims'>('claims')
const { fromRow: tokenFromRow } = jsonColumns<Omit<FoundReferenceToken, 'grant'>, 'claims'>('claims')

/** Self-contained tokens that were revoked before their expiry. */
export const revokedTokenStore: Store<RevokedTokens> = {
  create: database => ({
    add: async (jti, expiresAt) => {
      const create = { jti, expiresAt }
      await database.revokedToken.upsert({ where: { jti }, create, update: { expiresAt } })
    },
    findOfGrant: async (id, jti) => {
      const cells = (await database.$first(statements.signedTokenOfGrant, [id, jti])) ?? []
      return { isRevoked: Boolean(cells[0]), grant: tokenGrant(cells, 1) }
    },
    findOfOwner: async (owner, jti) => {
      const values = [jti, markOfAll, markOf(owner)]
      const [isRevoked, ...marks] = (await database.$first(statements.signedTokenOfOwner, values)) ?? []
      const times = marks.flatMap(cell => timeOf(cell) ?? [])
      return { isRevoked: Boolean(isRevoked), allRevokedAt: latestOf(times) }
    },
  }),
  purge: [expired('revoked_tokens', 'RevokedToken')],
}

const refreshTable = table<RefreshRow>('RefreshToken', {
  absoluteExpiresAt: 'time',
  expiresAt: 'time',
  createdAt: 'time',
  spentAt: 'time',
  answerExpiresAt: 'time',
})

const referenceTable = table<ReferenceRow>('ReferenceToken', { expiresAt: 'time' })
const tokenColumns = referenceTable.pick('clientId', 'grantId', 'claims', 'expiresAt')

const statements = {
  /** $1 grant ID */
  grantIsNotRevoked: statement(`SELECT 1 FROM "Grant" WHERE "id" = $1 AND "revokedAt" IS NULL ${locked}`),

  /** $1 grant ID, $2 the new end, if it is later */
  extendGrant: statement(
    `UPDATE "Grant" SET "expiresAt" = CASE WHEN "expiresAt" < $2 THEN $2 ELSE "expiresAt" END
     WHERE "id" = $1 AND "revokedAt" IS NULL RETURNING 1`,
  ),

  insertRefreshToken: statement(refreshTable.insert),
  insertReferenceToken: statement(referenceTable.insert),

  /** $1 digest */
  refreshToken: statement(
    `SELECT ${refreshTable.of('t')}, ${grantAndUser}
     FROM "RefreshToken" t JOIN "Grant" g ON g."id" = t."grantId" ${userOfGrant} WHERE t."digest" = $1`,
  ),

  /**
   * Marks a refresh token as used. Succeeds for exactly one caller. $1 digest, $2 now, $3 successor, $4 sealed answer,
   * $5 end of the retry window
   */
  consumeRefreshToken: statement(
    `UPDATE "RefreshToken" SET "spentAt" = $2, "successor" = $3, "sealedAnswer" = $4, "answerExpiresAt" = $5
     WHERE "digest" = $1 AND "spentAt" IS NULL RETURNING 1`,
  ),

  /**
   * RT-01: erases the stored answer that contains this token, because the token is now used itself. $1 digest of the
   * token
   */
  eraseAnswer: statement(
    `UPDATE "RefreshToken" SET "sealedAnswer" = NULL, "answerExpiresAt" = NULL WHERE "successor" = $1`,
  ),

  /** $1 digest, $2 the new end, if it is later */
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
}
