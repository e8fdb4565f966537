/** Lists of live grants with their tokens, of the access that clients have for users, and of remembered consents. */
import { z } from 'zod'
import { countedAtMost } from '#lib/config/limits.ts'
import type {
  AdminLists,
  GrantFilter,
  ListedAccess,
  ListedGrant,
  PageRequest,
  TimeOrder,
} from '#lib/ports/admin-lists.ts'
import type { Grant } from '#lib/ports/grants.ts'
import {
  type Consent as ConsentRow,
  type Grant as GrantRow,
  Prisma,
} from '#prisma/generated/sqlite/client.ts'
import type { Database } from '../../database.ts'
import { consentFromRow, unexpired } from '../grants/consents.ts'
import { grantFromRow } from '../grants/grant-rows.ts'
import { equals, inOrderOf } from '../rows.ts'
import { pageByTime, type Range, restOf, type TimeWalk } from './page.ts'

export function createGrantLists(database: Database): Pick<AdminLists, 'access' | 'grants'> {
  return {
    access: async (filter, page, now, order) => {
      const { items, next } = await listNewestOfEach(database, { filter, page, now, order })
      return { items: await accessOf(database, items, now), next }
    },
    grants: async (filter, page, now, order) => {
      const { items, next } = await listLive(database, { filter, page, now, order })
      return { items: await withTokens(database, items, now), next }
    },
  }
}

/** Selects live grants. Grants whose code expired before it was redeemed are left out: they can never have a token. */
export function liveGrants(filter: GrantFilter, now: Date) {
  return {
    ...ownedBy(filter),
    revokedAt: null,
    expiresAt: { gt: now },
    codes: { none: { usedAt: null, expiresAt: { lte: now } } },
  }
}

export function ownedBy({ subject, clientId }: GrantFilter) {
  return {
    ...(subject === null ? {} : { subject: equals(subject) }),
    ...(clientId === null ? {} : { clientId: equals(clientId) }),
  }
}

type Reading = {
  readonly filter: GrantFilter
  readonly page: PageRequest
  readonly now: Date
  readonly order: TimeOrder<'granted'> | null | undefined
}

/**
 * Lists live grants. NOTE: `revokedAt` is always null here, but PostgreSQL uses the index only if its first column is
 * in `ORDER BY`.
 */
async function listLive(database: Database, { filter, page, now, order }: Reading) {
  const rows = await pageByTime<GrantRow>(page, {
    isDescending: order?.isDescending ?? true,
    read: walk => {
      const { direction, take } = walk
      const rest = restOf(
        walk,
        createdAt => ({ createdAt }),
        id => ({ id }),
      )
      return database.grant.findMany({
        where: { AND: [liveGrants(filter, now), rest] },
        orderBy: [{ revokedAt: direction }, { createdAt: direction }, { id: direction }],
        take,
      })
    },
    positionOf: row => [row.createdAt, row.id],
  })
  return { ...rows, items: rows.items.map(grantFromRow) }
}

const newestSchema = z.array(z.object({ id: z.string(), createdAt: z.coerce.date() }))

/** Lists the newest live grant of each user and client. */
async function listNewestOfEach(database: Database, { filter, page, now, order }: Reading) {
  const newest = await pageByTime<z.infer<typeof newestSchema>[number]>(page, {
    isDescending: order?.isDescending ?? true,
    read: async walk => newestSchema.parse(await database.$queryRaw(newestOfEach(filter, now, walk))),
    positionOf: row => [row.createdAt, row.id],
  })
  const ids = newest.items.map(({ id }) => id)
  const rows = await database.grant.findMany({ where: { id: { in: ids } } })
  return { ...newest, items: inOrderOf(ids, rows, ({ id }) => id).map(grantFromRow) }
}

function newestOfEach({ subject, clientId }: GrantFilter, now: Date, walk: TimeWalk): Prisma.Sql {
  const direction = walk.direction === 'desc' ? Prisma.sql`DESC` : Prisma.sql`ASC`
  const conditions = [
    isLive(Prisma.sql`"g"`, now),
    ...(subject === null ? [] : [Prisma.sql`"g"."subject" = ${subject}`]),
    ...(clientId === null ? [] : [Prisma.sql`"g"."clientId" = ${clientId}`]),
    ...restInSql(walk),
  ]
  return Prisma.sql`
    SELECT "g"."id", "g"."createdAt" FROM "Grant" AS "g"
    WHERE ${Prisma.join(conditions, ' AND ')} AND NOT EXISTS (
      SELECT 1 FROM "Grant" AS "newer"
      WHERE "newer"."subject" = "g"."subject" AND "newer"."clientId" = "g"."clientId"
        AND ${isLive(Prisma.sql`"newer"`, now)} AND "newer"."createdAt" >= "g"."createdAt"
        AND ("newer"."createdAt" > "g"."createdAt" OR "newer"."id" > "g"."id"))
    ORDER BY "g"."revokedAt" ${direction}, "g"."createdAt" ${direction}, "g"."id" ${direction}
    LIMIT ${walk.take}`
}

/** The conditions of a live grant in SQL, as in `liveGrants`, for the table with this alias. */
function isLive(table: Prisma.Sql, now: Date): Prisma.Sql {
  return Prisma.sql`${table}."revokedAt" IS NULL AND ${table}."expiresAt" > ${now} AND NOT EXISTS (
    SELECT 1 FROM "AuthorizationCode" AS "code"
    WHERE "code"."grantId" = ${table}."id" AND "code"."usedAt" IS NULL AND "code"."expiresAt" <= ${now})`
}

/** The condition of `restOf` in SQL. */
function restInSql({ direction, after }: TimeWalk): readonly Prisma.Sql[] {
  if (after === null) return []
  const past = direction === 'desc' ? Prisma.sql`<` : Prisma.sql`>`
  const { time, id } = after
  return [
    Prisma.sql`"g"."createdAt" ${past}= ${time}`,
    Prisma.sql`("g"."createdAt" ${past} ${time} OR "g"."id" ${past} ${id})`,
  ]
}

/**
 * Returns, for the user and client of each of these grants, the total access from all their live grants. Beyond
 * `countedAtMost` grants the oldest are left out.
 */
async function accessOf(
  database: Database,
  newest: readonly Grant[],
  now: Date,
): Promise<readonly ListedAccess[]> {
  if (newest.length === 0) return []
  const owners = newest.map(({ subject, clientId }) => liveGrants({ subject, clientId }, now))
  const rows = await database.grant.findMany({
    where: { OR: owners },
    orderBy: { createdAt: 'desc' },
    take: countedAtMost,
  })
  const all = await withTokens(database, rows.map(grantFromRow), now)
  const groups = Map.groupBy(all, keyOf)
  return newest.map(grant => {
    const grants = groups.get(keyOf(grant)) ?? []
    return {
      subject: grant.subject,
      clientId: grant.clientId,
      scopes: [...new Set([...grant.scopes, ...grants.flatMap(({ scopes }) => scopes)])],
      grants: grants.length,
      refreshTokens: grants.reduce((sum, { refreshTokens }) => sum + refreshTokens, 0),
      referenceTokens: grants.reduce((sum, { referenceTokens }) => sum + referenceTokens, 0),
      latestAt: grant.createdAt,
    }
  })
}

function keyOf({ subject, clientId }: Pick<Grant, 'subject' | 'clientId'>): string {
  return JSON.stringify([subject, clientId])
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

export function createConsentLists(database: Database): Pick<AdminLists, 'consents'> {
  return {
    consents: async (filter, page, now, order) => {
      const rows = await pageByTime<ConsentRow>(page, {
        isDescending: order?.isDescending ?? true,
        read: walk => {
          const { direction, take } = walk
          const rest = restOf(walk, updatedAt => ({ updatedAt }), consentsPast)
          return database.consent.findMany({
            where: { AND: [ownedBy(filter), unexpired(now), rest] },
            orderBy: [{ updatedAt: direction }, { subject: direction }, { clientId: direction }],
            take,
          })
        },
        positionOf: row => [row.updatedAt, `${row.subject} ${row.clientId}`],
      })
      return { ...rows, items: rows.items.map(consentFromRow) }
    },
  }
}

/**
 * The condition for consents past a position, which consists of a subject, a space and a client ID; no subject contains
 * a space.
 */
function consentsPast(is: Range<string>) {
  const [isBefore, position] = 'lt' in is ? [true, is.lt] : [false, is.gt]
  const past = (value: string) => (isBefore ? { lt: value } : { gt: value })
  const [subject = '', ...clientId] = position.split(' ')
  return { OR: [{ subject: past(subject) }, { subject, clientId: past(clientId.join(' ')) }] }
}
