/** Reference access tokens, by the digest of the token. */
import { storage } from '#lib/config/limits.ts'
import type { ReferenceToken, ReferenceTokens } from '#lib/ports/grants.ts'
import type { ReferenceToken as ReferenceRow } from '#prisma/generated/sqlite/client.ts'
import type { Database } from '../../database.ts'
import { batchedRead } from '../batched-read.ts'
import { claims, clientId, digest, grantId, optional, subjectId } from '../columns.ts'
import { equals } from '../equals.ts'
import { groupCommit } from '../group-commit.ts'
import { insertRows } from '../insert-rows.ts'

const columns = ['digest', 'grantId', 'subject', 'clientId', 'claims', 'expiresAt'] as const

export function createReferenceTokens(database: Database): ReferenceTokens {
  const insert = insertRows<ReferenceRow, keyof ReferenceRow>(database.dialect, 'ReferenceToken', columns)
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
    remove: async digest => {
      const { count } = await database.referenceToken.deleteMany({ where: { digest: equals(digest) } })
      return count === 1
    },
  }
}

export function referenceToRow(token: ReferenceToken): ReferenceRow {
  return {
    digest: token.digest,
    grantId: token.grantId,
    subject: token.subject,
    clientId: token.clientId,
    claims: JSON.stringify(token.claims),
    expiresAt: token.expiresAt,
  }
}

function referenceFromRow(row: ReferenceRow): ReferenceToken {
  return {
    ...row,
    digest: digest(row.digest),
    grantId: optional(row.grantId, grantId),
    subject: optional(row.subject, subjectId),
    clientId: clientId(row.clientId),
    claims: claims(row.claims),
  }
}
