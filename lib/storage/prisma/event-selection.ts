/**
 * Which events a filter means, as walks along indexes in the order of ids. Names and clients have theirs per outcome, so
 * that the few failures among many successes are near; without an outcome there is one walk for each. Each follows the
 * condition that fewest rows meet, and looks at the rows for the others.
 */
import { z } from 'zod'
import { search } from '#lib/config/limits.ts'
import type { EventFilter } from '#lib/ports/event-log.ts'
import { eventIdMark } from '#lib/protocol/event-id.ts'
import { Prisma } from '#prisma/generated/sqlite/client.ts'
import type { Tables } from '../client.ts'

/** Ids between these, without them. */
export type IdRange = { readonly after: string | null; readonly before: string | null }

/** `walked` uses the index of the condition, `looked` none. */
type Match = { readonly walked: Prisma.Sql; readonly looked: Prisma.Sql }

const countSchema = z.tuple([z.object({ n: z.coerce.number() })])

/** The rows of each walk, as they stand behind `FROM`; no event is in two of them. */
export async function selectEvents(
  tables: Tables,
  filter: EventFilter,
  range: IdRange,
): Promise<readonly Prisma.Sql[]> {
  const span = Prisma.join(bounds(filter, range), ' AND ')
  const walks = await Promise.all(walksOf(filter).map(walk => select(tables, matchesOf(walk), span)))
  return walks.flat()
}

function walksOf(filter: EventFilter): readonly EventFilter[] {
  const isWhole = filter.outcome !== undefined || (filter.name ?? filter.clientId) === undefined
  if (isWhole) return [filter]
  return [
    { ...filter, outcome: 'success' },
    { ...filter, outcome: 'failure' },
  ]
}

async function select(
  tables: Tables,
  matches: readonly Match[],
  span: Prisma.Sql,
): Promise<readonly Prisma.Sql[]> {
  if (matches.length === 0) return [Prisma.sql`"Event" WHERE ${span}`]
  const counts = await Promise.all(matches.map(match => countRows(tables, match, span)))
  const fewest = Math.min(...counts)
  if (fewest === 0) return []
  const leading = counts.indexOf(fewest)
  const conditions = matches.map((match, index) => (index === leading ? match.walked : match.looked))
  const rows = Prisma.sql`"Event" WHERE ${Prisma.join([...conditions, span], ' AND ')}`
  return [fewest < search.eventsWeighed ? unordered(rows) : rows]
}

/**
 * NOTE: PostgreSQL knows too little of conditions that go together. Where it expects many rows and there are few, it
 * would read all events in the order asked for; behind a limit it does not see the order.
 */
function unordered(rows: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`(SELECT "id" FROM ${rows} LIMIT 1000000) e`
}

function matchesOf({ referenceId, subject, reason, clientId, name, outcome }: EventFilter): readonly Match[] {
  const own = [
    matching(Prisma.sql`"referenceId"`, referenceId),
    matching(Prisma.sql`"subject"`, subject),
    matching(Prisma.sql`"reason"`, reason),
  ].flat()
  const perOutcome = [matching(Prisma.sql`"clientId"`, clientId), matching(Prisma.sql`"name"`, name)].flat()
  const [byOutcome] = matching(Prisma.sql`"outcome"`, outcome)
  if (byOutcome === undefined) return [...own, ...perOutcome]
  return perOutcome.length === 0 ? [...own, byOutcome] : [...own, ...perOutcome.map(both(byOutcome))]
}

/** NOTE: `COALESCE` keeps both databases from walking the column's index, and PostgreSQL from expecting few rows. */
function matching(column: Prisma.Sql, value: string | undefined): readonly Match[] {
  if (value === undefined) return []
  return [
    { walked: Prisma.sql`${column} = ${value}`, looked: Prisma.sql`COALESCE(${column} = ${value}, FALSE)` },
  ]
}

const both = (right: Match) => (left: Match) => ({
  walked: Prisma.sql`${left.walked} AND ${right.walked}`,
  looked: Prisma.sql`${left.looked} AND ${right.looked}`,
})

/** Ids begin with the time, so a span of time is a range of ids. */
function bounds({ from, until }: EventFilter, { after, before }: IdRange): readonly Prisma.Sql[] {
  const least = [after, from && eventIdMark(from)].filter(isGiven).toSorted().at(-1) ?? ''
  const end = [before, until && eventIdMark(until)].filter(isGiven).toSorted().at(0)
  return [Prisma.sql`"id" > ${least}`, ...(end === undefined ? [] : [Prisma.sql`"id" < ${end}`])]
}

function isGiven(text: string | null | undefined): text is string {
  return typeof text === 'string'
}

async function countRows(tables: Tables, { walked }: Match, span: Prisma.Sql): Promise<number> {
  const found = await tables.$queryRaw(Prisma.sql`
    SELECT COUNT(*) AS "n" FROM (
      SELECT 1 FROM "Event" WHERE ${walked} AND ${span} LIMIT ${search.eventsWeighed}
    ) f`)
  return countSchema.parse(found)[0].n
}
