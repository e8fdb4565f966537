/** Refresh tokens and reference access tokens, by the digest of the token. */

import { storage } from '#lib/config/limits.ts'
import type {
  ReferenceToken,
  ReferenceTokens,
  RefreshRotation,
  RefreshToken,
  RefreshTokens,
} from '#lib/ports/grants.ts'
import type { ReferenceToken as ReferenceRow } from '#prisma/generated/sqlite/client.ts'
import type { Database, Tables } from '../../database.ts'
import type { Expired, Store } from '../../store.ts'
import { groupCommit } from '../group-commit.ts'
import { batchedRead } from '../reads.ts'
import { changesOne, equals, grantId, insertRows, jsonColumns } from '../rows.ts'

export const refreshTokenStore: Store<RefreshTokens> = {
  create: database => ({
    create: async token => {
      await database.refreshToken.create({ data: refreshToRow(token) })
    },
    find: async digest => {
      const row = await database.refreshToken.findUnique({ where: { digest } })
      return row && refreshFromRow(row)
    },
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
    ['refresh_tokens', (database, expired) => database.refreshToken.deleteMany(expired)],
    [null, eraseAnswers],
  ],
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

/** RT-01: stored refresh responses after the retry window. */
function eraseAnswers(database: Database, { where, limit }: Expired): Promise<{ readonly count: number }> {
  const ended = { answerExpiresAt: where.expiresAt }
  return database.refreshToken.updateMany({ where: ended, data: erasedAnswer, limit })
}

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
    const read = batchedRead(async digests => {
      const rows = await database.referenceToken.findMany({ where: { digest: { in: digests } } })
      return new Map(rows.map(row => [row.digest, referenceFromRow(row)]))
    }, storage.batchedReads)
    return {
      create: token => store(referenceToRow(token)),
      find: read,
      remove: digest => changesOne(database.referenceToken.deleteMany({ where: { digest: equals(digest) } })),
    }
  },
  purge: [['reference_tokens', (database, expired) => database.referenceToken.deleteMany(expired)]],
}

const { toRow: referenceToRow, fromRow: referenceFromRow } = jsonColumns<ReferenceToken, 'claims'>('claims')
