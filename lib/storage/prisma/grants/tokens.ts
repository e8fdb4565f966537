/** Refresh tokens and reference access tokens, by the digest of the token, and revoked self-contained tokens. */

import { storage } from '#lib/config/limits.ts'
import type {
  ReferenceToken,
  ReferenceTokens,
  RefreshRotation,
  RefreshToken,
  RefreshTokens,
  RevokedTokens,
} from '#lib/ports/grants.ts'
import { timePrefixLength } from '#lib/protocol/ids.ts'
import type { ReferenceToken as ReferenceRow } from '#prisma/generated/sqlite/client.ts'
import type { Tables } from '../../database.ts'
import { referenceTable, statements } from '../../sql/statements.ts'
import { timeOf } from '../../sql/table.ts'
import { expired, type Store } from '../../store.ts'
import { groupCommit } from '../group-commit.ts'
import { changesOne, equals, grantId, insertRows, jsonColumns } from '../rows.ts'
import { foundGrant } from './grants.ts'
import { markOf, markOfAll } from './revocation.ts'

export const refreshTokenStore: Store<RefreshTokens> = {
  create: database => ({
    create: async token => {
      await database.refreshToken.create({ data: refreshToRow(token) })
    },
    find: async digest =>
      (await findRefreshToken(database, digest)) ??
      (await findRefreshToken(database, withoutTimePrefix(digest))),
    rotate: (rotation, now) => database.$transaction(tables => rotate(tables, rotation, now)),
    lastIssuedAt: async grants => {
      const rows = await database.refreshToken.findMany({
        where: { grantId: { in: [...grants] }, spentAt: null },
        orderBy: { createdAt: 'asc' },
        select: { grantId: true, createdAt: true },
      })
      return new Map(rows.map(row => [grantId(row.grantId), row.createdAt]))
    },
    slide: async (digest, expiresAt) => {
      await database.refreshToken.updateMany({
        where: { digest: equals(digest), expiresAt: { lt: expiresAt } },
        data: { expiresAt },
      })
    },
  }),
  purge: [
    expired('refresh_tokens', 'RefreshToken'),
    // RT-01: stored refresh responses after the retry window
    {
      ...{ label: null, table: 'RefreshToken', column: 'answerExpiresAt', until: now => now },
      erases: ['sealedAnswer', 'answerExpiresAt'],
    },
  ],
}

async function findRefreshToken(tables: Tables, digest: string): Promise<RefreshToken | null> {
  const row = await tables.refreshToken.findUnique({ where: { digest } })
  return row && refreshFromRow(row)
}

/** The key of a refresh token that was issued before its time became a part of the key. */
function withoutTimePrefix(digest: string): string {
  return digest.slice(timePrefixLength)
}

/** RT-02: the old one dies with the birth of the new. The first write decides who wins. */
async function rotate(tables: Tables, rotation: RefreshRotation, now: Date): Promise<boolean> {
  const { sealedAnswer, answerExpiresAt } = rotation
  const { count } = await tables.refreshToken.updateMany({
    where: { digest: equals(rotation.spent), spentAt: null },
    data: { spentAt: now, successor: rotation.successor.digest, sealedAnswer, answerExpiresAt },
  })
  if (count !== 1) return false
  await tables.refreshToken.updateMany({ where: { successor: equals(rotation.spent) }, data: erasedAnswer })
  await tables.refreshToken.create({ data: refreshToRow(rotation.successor) })
  if (rotation.accessToken !== null) {
    await tables.referenceToken.create({ data: referenceToRow(rotation.accessToken) })
  }
  return true
}

const erasedAnswer = { sealedAnswer: null, answerExpiresAt: null }

const { toRow: refreshToRow, fromRow: refreshFromRow } = jsonColumns<RefreshToken, 'accessTokenClaims'>(
  'accessTokenClaims',
)

export const referenceTokenStore: Store<ReferenceTokens> = {
  create: database => {
    const insert = insertRows<ReferenceRow>(database.dialect, 'ReferenceToken')
    const store = groupCommit<ReferenceRow>(
      {
        many: rows => database.$insertTogether([insert(rows)]),
        one: data => database.referenceToken.create({ data }),
      },
      { size: storage.groupedWrites, underWay: storage.groupsUnderWay[database.dialect] },
    )
    return {
      create: token => store(referenceToRow(token)),
      find: async digest => {
        const cells = await database.$first(statements.referenceToken, [digest])
        const row = cells && referenceTable.read(cells)
        return row && { ...referenceFromRow(row), grant: foundGrant(cells, referenceTable.width) }
      },
      remove: digest => changesOne(database.referenceToken.deleteMany({ where: { digest: equals(digest) } })),
    }
  },
  purge: [expired('reference_tokens', 'ReferenceToken')],
}

const { toRow: referenceToRow, fromRow: referenceFromRow } = jsonColumns<ReferenceToken, 'claims'>('claims')

/** Self-contained tokens that were revoked before their end, by `jti`. */
export const revokedTokenStore: Store<RevokedTokens> = {
  create: database => ({
    add: async (jti, expiresAt) => {
      const create = { jti, expiresAt }
      await database.revokedToken.upsert({ where: { jti }, create, update: { expiresAt } })
    },
    findOfGrant: async (id, jti) => {
      const cells = (await database.$first(statements.signedTokenOfGrant, [id, jti])) ?? []
      return { isRevoked: Boolean(cells[0]), grant: foundGrant(cells, 1) }
    },
    findOfClient: async (clientId, jti) => {
      const values = [jti, markOfAll, markOf(clientId)]
      const [isRevoked, allRevokedAt] = (await database.$first(statements.signedTokenOfClient, values)) ?? []
      return { isRevoked: Boolean(isRevoked), allRevokedAt: timeOf(allRevokedAt ?? null) }
    },
  }),
  purge: [expired('revoked_tokens', 'RevokedToken')],
}
