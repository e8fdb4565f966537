/** The aggregates that charts read instead of events, and the statements that add to them. */
import { z } from 'zod'
import { aggregates as limits, retentionSeconds, visitors } from '#lib/config/limits.ts'
import {
  type Additions,
  type Aggregates,
  activeMetric,
  type ClientDay,
  type DailyCount,
  type DaysAsked,
  firstVisit,
  type HourlyCount,
  type HoursAsked,
  longestGap,
  type UserActivity,
} from '#lib/ports/aggregates.ts'
import { dayNumber, hourOf, secondsAfter } from '#lib/protocol/time.ts'
import { Prisma } from '#prisma/generated/sqlite/client.ts'
import type { Dialect, Insertion, Tables } from '../../database.ts'
import type { PurgeRule, Store } from '../../store.ts'
import { batchesOf, insertRows } from '../rows.ts'

export const aggregateStore: Store<Aggregates> = {
  create: database => ({
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
  }),
  // LG-07
  purge: [
    {
      label: 'counts',
      table: 'HourlyCount',
      column: 'hour',
      until: now => secondsAfter(now, -retentionSeconds.hourlyCounts - 1),
    },
    ...['DailyCount', 'ClientDay', 'Visitor'].map(oldDays),
  ],
}

function oldDays(table: string): PurgeRule {
  const until = (now: Date) => dayNumber(secondsAfter(now, -retentionSeconds.dailyCounts)) - 1
  return { label: 'counts', table, column: 'day', until }
}

const count = z.coerce.number()
const labeled = { metric: z.string(), label: z.string(), count }
const hoursSchema = z.array(z.object({ hour: z.coerce.date(), ...labeled }))
const daysSchema = z.array(z.object({ day: count, ...labeled }))

/**
 * The query for hourly counts. NOTE: raw, because a quarter has some thousand rows, and Prisma takes longer to read
 * them as models than the database to find them.
 */
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

const active = { visits: count, fresh: count, users: count }
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

/**
 * The sums of active users. NOTE: a single CASE, because its branches are evaluated in order: the label of a first
 * visit is not a number and must not be cast.
 */
function activeSums(daysBefore: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`SUM("count") AS "visits",
    SUM(CASE WHEN "label" = ${firstVisit} THEN "count" ELSE 0 END) AS "fresh",
    SUM(CASE WHEN "label" = ${firstVisit} THEN "count" WHEN CAST("label" AS INTEGER) > ${daysBefore} THEN "count" ELSE 0 END) AS "users"`
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

/**
 * The query for the busiest clients. It reads the clients with the highest counts of each day, selects those with the
 * highest sums of these counts, and sums their counts over the whole period.
 */
function busiestOf({ first, last, by, limit }: Busiest): Prisma.Sql {
  const figure = by === 'tokens' ? Prisma.sql`"tokens"` : Prisma.sql`"refusals"`
  const days = Array.from({ length: last - first + 1 }, (_one, index) => first + index)
  const leaders = days.map(
    day =>
      Prisma.sql`SELECT "clientId", "figure" FROM (SELECT "clientId", ${figure} AS "figure" FROM "ClientDay" WHERE "day" = ${day} AND ${figure} > 0 ORDER BY ${figure} DESC LIMIT ${limits.leadersOfDay}) AS "leaders"`,
  )
  return Prisma.sql`SELECT "clientId", SUM("tokens") AS "tokens", SUM("refusals") AS "refusals" FROM "ClientDay"
    WHERE "day" >= ${first} AND "day" <= ${last} AND "clientId" IN (
      SELECT "clientId" FROM (${Prisma.join(leaders, ' UNION ALL ')}) AS "candidates"
      GROUP BY "clientId" ORDER BY SUM("figure") DESC, "clientId" LIMIT ${limits.candidates})
    GROUP BY "clientId" ORDER BY SUM(${figure}) DESC, "clientId" LIMIT ${limit}`
}

type Sums = Pick<Additions, 'counts' | 'clients'>

/**
 * Creates the insertions that add to the aggregates. NOTE: rows are sorted by key, so that two nodes never deadlock.
 */
export function aggregateInsertions(dialect: Dialect): (sums: Partial<Sums>) => readonly Insertion[] {
  const hours = insertRows<HourlyCount>(
    dialect,
    'HourlyCount',
    'ON CONFLICT ("metric", "hour", "label") DO UPDATE SET "count" = "HourlyCount"."count" + excluded."count"',
  )
  const days = insertRows<DailyCount>(
    dialect,
    'DailyCount',
    'ON CONFLICT ("metric", "day", "label") DO UPDATE SET "count" = "DailyCount"."count" + excluded."count"',
  )
  const clientDays = insertRows<ClientDay>(
    dialect,
    'ClientDay',
    'ON CONFLICT ("clientId", "day") DO UPDATE SET "tokens" = "ClientDay"."tokens" + excluded."tokens", "refusals" = "ClientDay"."refusals" + excluded."refusals"',
  )
  return ({ counts = [], clients = [] }) => [
    ...(counts.length === 0 ? [] : [hours(summedHours(counts)), days(summedDays(counts))]),
    ...(clients.length === 0 ? [] : [clientDays(summedClients(clients))]),
  ]
}

function summedHours(counts: readonly HourlyCount[]): readonly HourlyCount[] {
  const keyOf = ({ hour, metric, label }: HourlyCount) => JSON.stringify([metric, hour, label])
  return summed(counts, keyOf, (sum, { count }) => ({ ...sum, count: sum.count + count }))
}

function summedDays(counts: readonly HourlyCount[]): readonly DailyCount[] {
  const days = counts.map(({ hour, ...count }) => ({ ...count, day: dayNumber(hour) }))
  const keyOf = ({ day, metric, label }: DailyCount) => JSON.stringify([metric, day, label])
  return summed(days, keyOf, (sum, { count }) => ({ ...sum, count: sum.count + count }))
}

function summedClients(clients: readonly ClientDay[]): readonly ClientDay[] {
  const keyOf = ({ clientId, day }: ClientDay) => JSON.stringify([clientId, day])
  return summed(clients, keyOf, (sum, { tokens, refusals }) => ({
    ...sum,
    tokens: sum.tokens + tokens,
    refusals: sum.refusals + refusals,
  }))
}

/** Merges rows with the same key, because a statement may change a row only once, and sorts them by key. */
function summed<Row>(
  rows: readonly Row[],
  keyOf: (row: Row) => string,
  plus: (sum: Row, row: Row) => Row,
): readonly Row[] {
  const sums = new Map<string, Row>()
  for (const row of rows) {
    const key = keyOf(row)
    const sum = sums.get(key)
    sums.set(key, sum === undefined ? row : plus(sum, row))
  }
  return [...sums.entries()].toSorted(([left], [right]) => (left < right ? -1 : 1)).map(([, sum]) => sum)
}

const movedSchema = z.array(
  z.object({ day: z.coerce.number(), before: z.coerce.number().nullable(), subject: z.string() }),
)

/**
 * Records the first visit of each user on a day, and returns the counts to add. Each visit is counted by one node only:
 * the statement returns only the rows that it changed. A visit that is written after one of a later day is not counted.
 */
export async function putVisits(
  tables: Tables,
  visits: readonly UserActivity[],
): Promise<readonly HourlyCount[]> {
  const counts: HourlyCount[] = []
  const byDay = Map.groupBy(visits, ({ time }) => dayNumber(time))
  for (const [day, ofDay] of [...byDay].toSorted(([left], [right]) => left - right)) {
    const times = new Map(ofDay.toReversed().map(({ subject, time }) => [subject, time]))
    for (const batch of batchesOf([...times.keys()].toSorted())) {
      const values = batch.map(subject => Prisma.sql`(${subject}, ${day})`)
      const moved = await tables.$queryRaw(
        Prisma.sql`INSERT INTO "Visitor" ("subject", "day") VALUES ${Prisma.join(values)} ON CONFLICT ("subject") DO UPDATE SET "before" = "Visitor"."day", "day" = excluded."day" WHERE "Visitor"."day" < excluded."day" RETURNING "subject", "day", "before"`,
      )
      counts.push(...movedSchema.parse(moved).flatMap(row => activeCount(row, times.get(row.subject))))
    }
  }
  return counts
}

type Moved = z.output<typeof movedSchema>[number]

function activeCount({ day, before }: Moved, time: Date | undefined): readonly HourlyCount[] {
  if (time === undefined) return []
  const label = before === null ? firstVisit : String(Math.min(longestGap, day - before))
  return [{ hour: hourOf(time), metric: activeMetric, label, count: 1 }]
}

/** Remembers the users that this process counted recently: only the first visit of a day needs the database. */
export function createSeenVisitors() {
  const latest = new Map<string, number>()
  const isUnseen = ({ subject, time }: UserActivity) => (latest.get(subject) ?? -1) < dayNumber(time)
  return {
    unseen: (visits: readonly UserActivity[]) => visits.filter(isUnseen),
    /** Remembers visits. Must be called after they are committed. */
    remember: (visits: readonly UserActivity[]): void => {
      for (const visit of visits.filter(isUnseen)) {
        if (latest.size >= visitors.remembered) latest.clear()
        latest.set(visit.subject, dayNumber(visit.time))
      }
    },
  }
}
