/** Reference access tokens, by the digest of what the client holds. */
import { storage } from '#lib/config/limits.ts'
import type { ReferenceToken, ReferenceTokens } from '#lib/ports/grants.ts'
import { Prisma, type ReferenceToken as ReferenceRow } from '#prisma/generated/sqlite/client.ts'
import type { Client } from '../client.ts'
import { claims, clientId, digest, grantId, optional, subjectId } from './columns.ts'
import { exactly } from './exactly.ts'
import { groupCommit } from './group-commit.ts'
import { groupedRead } from './grouped-read.ts'

export function createReferenceTokens(client: Client): ReferenceTokens {
  const store = groupCommit<ReferenceRow>(
    { many: rows => insertAll(client, rows), one: data => client.referenceToken.create({ data }) },
    storage.groupedWrites,
  )
  const read = groupedRead(async digests => {
    const rows = await client.referenceToken.findMany({ where: { digest: { in: digests } } })
    return new Map(rows.map(row => [row.digest, referenceFromRow(row)]))
  }, storage.groupedReads)
  return {
    create: token => store(referenceToRow(token)),
    find: read,
    remove: async digest => {
      const { count } = await client.referenceToken.deleteMany({ where: { digest: exactly(digest) } })
      return count === 1
    },
  }
}

/**
 * NOTE: in SQL of ours. Prisma compiles each `createMany` anew, which costs four times what the
 * writing does; this text is the same in both databases, and every value is a parameter.
 */
function insertAll(client: Client, rows: readonly ReferenceRow[]): Promise<number> {
  const values = rows.map(
    row =>
      Prisma.sql`(${row.digest}, ${row.grantId}, ${row.subject}, ${row.clientId}, ${row.claims}, ${row.expiresAt})`,
  )
  return client.$executeRaw(
    Prisma.sql`INSERT INTO "ReferenceToken" ("digest", "grantId", "subject", "clientId", "claims", "expiresAt") VALUES ${Prisma.join(values)}`,
  )
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
