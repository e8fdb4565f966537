/** Live grants, newest first, each with what is issued on it and still valid. */
import { z } from 'zod'
import type { AdminLists, GrantFilter, ListedGrant, PageRequest } from '#lib/ports/admin-lists.ts'
import type { Grant } from '#lib/ports/grants.ts'
import { Prisma } from '#prisma/generated/sqlite/client.ts'
import type { Database } from '../../database.ts'
import { equals } from '../equals.ts'
import { grantFromRow } from '../grants/grants.ts'
import { momentSchema, pageOf, positionIn } from './page.ts'

const positionSchema = z.tuple([momentSchema, z.string()])
/** NOTE: `revokedAt` is always null here; PostgreSQL walks the index only when its first column is in the order. */
const orderBy = [{ revokedAt: 'desc' }, { createdAt: 'desc' }, { id: 'desc' }] as const

export function createGrantLists(database: Database): Pick<AdminLists, 'grants' | 'grant'> {
  return {
    grants: async (filter, page, now) => {
      const { items, next } = await listLive(database, { filter, page, now })
      return { items: await withTokens(database, items, now), next }
    },
    grant: async (id, now) => {
      const row = await database.grant.findUnique({ where: { id } })
      if (row === null) return null
      const [grant] = await withTokens(database, [grantFromRow(row)], now)
      return grant ?? null
    },
  }
}

export function liveGrants(filter: GrantFilter, now: Date) {
  return { ...ownedBy(filter), revokedAt: null, expiresAt: { gt: now } }
}

export function ownedBy({ subject, clientId }: GrantFilter) {
  return {
    ...(subject === null ? {} : { subject: equals(subject) }),
    ...(clientId === null ? {} : { clientId: equals(clientId) }),
  }
}

type Reading = { readonly filter: GrantFilter; readonly page: PageRequest; readonly now: Date }

async function listLive(database: Database, { filter, page, now }: Reading) {
  const live = liveGrants(filter, now)
  const position = positionIn(page.after, positionSchema)
  const where = position === null ? live : { AND: [live, beyond(position)] }
  const rows = await database.grant.findMany({ where, orderBy: [...orderBy], take: page.limit + 1 })
  const { items, next } = pageOf(rows, page.limit, row => [row.createdAt.getTime(), row.id])
  return { items: items.map(grantFromRow), next }
}

function beyond([time, id]: z.infer<typeof positionSchema>) {
  return { createdAt: { lte: time }, OR: [{ createdAt: { lt: time } }, { id: { lt: id } }] }
}

async function withTokens(
  database: Database,
  grants: readonly Grant[],
  now: Date,
): Promise<readonly ListedGrant[]> {
  if (grants.length === 0) return []
  const ids = Prisma.join(grants.map(grant => grant.id))
  const refreshTokens = await countBy(
    database,
    Prisma.sql`
      SELECT "grantId", COUNT(*) AS "n" FROM "RefreshToken"
      WHERE "grantId" IN (${ids}) AND "spentAt" IS NULL AND "expiresAt" > ${now} GROUP BY "grantId"`,
  )
  const referenceTokens = await countBy(
    database,
    Prisma.sql`
      SELECT "grantId", COUNT(*) AS "n" FROM "ReferenceToken"
      WHERE "grantId" IN (${ids}) AND "expiresAt" > ${now} GROUP BY "grantId"`,
  )
  return grants.map(grant => {
    const valid = (counts: ReadonlyMap<string, number>) =>
      grant.revokedAt === null ? (counts.get(grant.id) ?? 0) : 0
    return { ...grant, refreshTokens: valid(refreshTokens), referenceTokens: valid(referenceTokens) }
  })
}

const countsSchema = z.array(z.object({ grantId: z.string(), n: z.coerce.number() }))

async function countBy(database: Database, statement: Prisma.Sql): Promise<ReadonlyMap<string, number>> {
  const rows = countsSchema.parse(await database.$queryRaw(statement))
  return new Map(rows.map(row => [row.grantId, row.n]))
}
