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

/** A condition for `WHERE` for each walk; no event meets two of them. */
export function selectEvents(
  tables: Tables,
  filter: EventFilter,
  range: IdRange,
): Promise<readonly Prisma.Sql[]> {
  const span = Prisma.join(bounds(filter, range), ' AND ')
  return Promise.all(walksOf(filter).map(walk => select(tables, matchesOf(walk), span)))
}

function walksOf(filter: EventFilter): readonly EventFilter[] {
  const isWhole = filter.outcome !== undefined || (filter.name ?? filter.clientId) === undefined
  if (isWhole) return [filter]
  return [
    { ...filter, outcome: 'success' },
    { ...filter, outcome: 'failure' },
  ]
}

async function select(tables: Tables, matches: readonly Match[], span: Prisma.Sql): Promise<Prisma.Sql> {
  const leading = await rarest(tables, matches, span)
  const conditions = matches.map(match => (match === leading ? match.walked : match.looked))
  return Prisma.join([...conditions, span], ' AND ')
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

/** NOTE: an expression instead of the column keeps both databases from walking its index. */
function matching(column: Prisma.Sql, value: string | undefined): readonly Match[] {
  if (value === undefined) return []
  return [{ walked: Prisma.sql`${column} = ${value}`, looked: Prisma.sql`(${column} || '') = ${value}` }]
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

async function rarest(
  tables: Tables,
  matches: readonly Match[],
  span: Prisma.Sql,
): Promise<Match | undefined> {
  if (matches.length < 2) return matches[0]
  const counts = await Promise.all(matches.map(match => countRows(tables, match, span)))
  return matches[counts.indexOf(Math.min(...counts))]
}

async function countRows(tables: Tables, { walked }: Match, span: Prisma.Sql): Promise<number> {
  const found = await tables.$queryRaw(Prisma.sql`
    SELECT COUNT(*) AS "n" FROM (
      SELECT 1 FROM "Event" WHERE ${walked} AND ${span} LIMIT ${search.examined}
    ) f`)
  return countSchema.parse(found)[0].n
}
