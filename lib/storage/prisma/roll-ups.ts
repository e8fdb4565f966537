/** The sums that charts read: each a walk along an index, however many clients and hours there are. */
import { z } from 'zod'
import { rollUps as limits } from '#lib/config/limits.ts'
import type { RollUps } from '#lib/ports/roll-ups.ts'
import { Prisma } from '#prisma/generated/sqlite/client.ts'
import type { Client } from '../client.ts'

export function createRollUps(client: Client): RollUps {
  return {
    hours: async (metrics, from, until) =>
      client.hourlyCount.findMany({
        where: { metric: { in: [...metrics] }, hour: { gte: from, lt: until } },
        orderBy: [{ hour: 'asc' }, { metric: 'asc' }, { label: 'asc' }],
      }),
    days: async (metrics, first, last) =>
      daysSchema.parse(await client.$queryRaw(daysOf(metrics, first, last))),
    busiestClients: async ({ first, last }, by, limit) =>
      clientsSchema.parse(await client.$queryRaw(busiestOf({ first, last, by, limit }))),
    firstDay: async () => {
      const found = await client.dailyCount.findFirst({ orderBy: { day: 'asc' }, select: { day: true } })
      return found?.day ?? null
    },
  }
}

const daysSchema = z.array(
  z.object({
    day: z.coerce.number(),
    metric: z.string(),
    label: z.string(),
    count: z.coerce.number(),
  }),
)

/** NOTE: raw, because a quarter with its comparison is some ten thousand rows, and a model costs more than a row. */
function daysOf(metrics: readonly string[], first: number, last: number): Prisma.Sql {
  return Prisma.sql`SELECT "day", "metric", "label", "count" FROM "DailyCount"
    WHERE "metric" IN (${Prisma.join([...metrics])}) AND "day" >= ${first} AND "day" <= ${last}
    ORDER BY "day", "metric", "label"`
}

const clientsSchema = z.array(
  z.object({ clientId: z.string(), tokens: z.coerce.number(), refusals: z.coerce.number() }),
)

type Busiest = {
  readonly first: number
  readonly last: number
  readonly by: 'tokens' | 'refusals'
  readonly limit: number
}

/** First those who lead on single days, by what they had on those; then the whole sums of the best of them. */
function busiestOf({ first, last, by, limit }: Busiest): Prisma.Sql {
  const figure = by === 'tokens' ? Prisma.sql`"tokens"` : Prisma.sql`"refusals"`
  const days = Array.from({ length: last - first + 1 }, (_one, index) => first + index)
  const leaders = days.map(
    day =>
      Prisma.sql`SELECT * FROM (SELECT "clientId", ${figure} AS "figure" FROM "ClientDay" WHERE "day" = ${day} AND ${figure} > 0 ORDER BY ${figure} DESC LIMIT ${limits.leadersOfDay}) AS "leaders"`,
  )
  return Prisma.sql`SELECT "clientId", SUM("tokens") AS "tokens", SUM("refusals") AS "refusals" FROM "ClientDay"
    WHERE "day" >= ${first} AND "day" <= ${last} AND "clientId" IN (
      SELECT "clientId" FROM (${Prisma.join(leaders, ' UNION ALL ')}) AS "candidates"
      GROUP BY "clientId" ORDER BY SUM("figure") DESC, "clientId" LIMIT ${limits.candidates})
    GROUP BY "clientId" ORDER BY SUM(${figure}) DESC, "clientId" LIMIT ${limit}`
}
