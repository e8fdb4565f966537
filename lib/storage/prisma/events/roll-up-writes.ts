/** Adding to the sums that charts read, in the transaction that writes the events. */
import { z } from 'zod'
import {
  type Additions,
  activeMetric,
  type ClientDay,
  type DailyCount,
  firstVisit,
  type HourlyCount,
  longestGap,
  type Visit,
} from '#lib/ports/roll-ups.ts'
import { dayNumber, hourOf } from '#lib/protocol/time.ts'
import { Prisma } from '#prisma/generated/sqlite/client.ts'
import type { Dialect, Insertion, Tables } from '../../database.ts'
import { batchesOf } from '../batches.ts'
import { insertRows } from '../insert-rows.ts'

type Sums = Pick<Additions, 'counts' | 'clients'>

/** What adds to the sums. NOTE: rows in one order, so that two nodes never wait for each other. */
export function sumInsertions(dialect: Dialect): (sums: Partial<Sums>) => readonly Insertion[] {
  const hours = insertRows<HourlyCount, keyof HourlyCount>(
    dialect,
    'HourlyCount',
    ['hour', 'metric', 'label', 'count'],
    'ON CONFLICT ("metric", "hour", "label") DO UPDATE SET "count" = "HourlyCount"."count" + excluded."count"',
  )
  const days = insertRows<DailyCount, keyof DailyCount>(
    dialect,
    'DailyCount',
    ['day', 'metric', 'label', 'count'],
    'ON CONFLICT ("metric", "day", "label") DO UPDATE SET "count" = "DailyCount"."count" + excluded."count"',
  )
  const clientDays = insertRows<ClientDay, keyof ClientDay>(
    dialect,
    'ClientDay',
    ['clientId', 'day', 'tokens', 'refusals'],
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

/** One row each, because a statement may touch a row once; by their keys. */
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
 * What first visits of a day count. The statement gives back only those that it moved, each on one node only; a visit
 * that comes late, after one of a later day, is not counted.
 */
export async function putVisits(tables: Tables, visits: readonly Visit[]): Promise<readonly HourlyCount[]> {
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
