/** The sums that charts read: each a walk along an index, however many clients and hours there are. */
import { z } from 'zod'
import { rollUps as limits } from '#lib/config/limits.ts'
import {
  activeMetric,
  type DaysAsked,
  firstVisit,
  type HoursAsked,
  type RollUps,
} from '#lib/ports/roll-ups.ts'
import { Prisma } from '#prisma/generated/sqlite/client.ts'
import type { Database } from '../../database.ts'

export function createRollUps(database: Database): RollUps {
  return {
    hours: async asked => hoursSchema.parse(await database.$queryRaw(hoursOf(asked))),
    days: async asked => daysSchema.parse(await database.$queryRaw(daysOf(asked))),
    activeHours: async (hours, daysBefore) =>
      activeHoursSchema.parse(await database.$queryRaw(activeHoursOf(hours, daysBefore))),
    activeDays: async days => activeDaysSchema.parse(await database.$queryRaw(activeDaysOf(days))),
    busiestClients: async ({ first, last }, by, limit) =>
      clientsSchema.parse(await database.$queryRaw(busiestOf({ first, last, by, limit }))),
    firstDay: async () => {
      const found = await database.dailyCount.findFirst({ orderBy: { day: 'asc' }, select: { day: true } })
      return found?.day ?? null
    },
  }
}

const count = z.coerce.number()
const labelled = { metric: z.string(), label: z.string(), count }
const hoursSchema = z.array(z.object({ hour: z.coerce.date(), ...labelled }))
const daysSchema = z.array(z.object({ day: count, ...labelled }))

/** NOTE: raw, because a quarter is some thousand rows, and reading one as a model costs more than finding it. */
function hoursOf({ metrics, from, until, by }: HoursAsked): Prisma.Sql {
  const where = Prisma.sql`"metric" IN (${Prisma.join([...metrics])}) AND "hour" >= ${from} AND "hour" < ${until}`
  return by === 'label'
    ? Prisma.sql`SELECT "hour", "metric", "label", "count" FROM "HourlyCount" WHERE ${where} ORDER BY "hour", "metric", "label"`
    : Prisma.sql`SELECT "hour", "metric", '' AS "label", SUM("count") AS "count" FROM "HourlyCount" WHERE ${where} GROUP BY "hour", "metric" ORDER BY "hour", "metric"`
}

function daysOf({ metrics, first, last, by }: DaysAsked): Prisma.Sql {
  const where = Prisma.sql`"metric" IN (${Prisma.join([...metrics])}) AND "day" >= ${first} AND "day" <= ${last}`
  return by === 'label'
    ? Prisma.sql`SELECT "day", "metric", "label", "count" FROM "DailyCount" WHERE ${where} ORDER BY "day", "metric", "label"`
    : Prisma.sql`SELECT "day", "metric", '' AS "label", SUM("count") AS "count" FROM "DailyCount" WHERE ${where} GROUP BY "day", "metric" ORDER BY "day", "metric"`
}

const active = { visits: count, fresh: count, people: count }
const activeHoursSchema = z.array(z.object({ hour: z.coerce.date(), ...active }))
const activeDaysSchema = z.array(z.object({ day: count, ...active }))

function activeHoursOf({ from, until }: { readonly from: Date; readonly until: Date }, daysBefore: number) {
  return Prisma.sql`SELECT "hour", ${activeSums(Prisma.sql`${daysBefore}`)} FROM "HourlyCount"
    WHERE "metric" = ${activeMetric} AND "hour" >= ${from} AND "hour" < ${until} GROUP BY "hour" ORDER BY "hour"`
}

function activeDaysOf({ first, last }: { readonly first: number; readonly last: number }) {
  return Prisma.sql`SELECT "day", ${activeSums(Prisma.sql`"day" - ${first}`)} FROM "DailyCount"
    WHERE "metric" = ${activeMetric} AND "day" >= ${first} AND "day" <= ${last} GROUP BY "day" ORDER BY "day"`
}

/** NOTE: one CASE, which is walked in order: the label of a first visit is not a number. */
function activeSums(daysBefore: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`SUM("count") AS "visits",
    SUM(CASE WHEN "label" = ${firstVisit} THEN "count" ELSE 0 END) AS "fresh",
    SUM(CASE WHEN "label" = ${firstVisit} THEN "count" WHEN CAST("label" AS INTEGER) > ${daysBefore} THEN "count" ELSE 0 END) AS "people"`
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
