/**
 * Turns an event filter into index scans in the order of IDs. Names and clients have an index per outcome, so that the
 * few failures among many successes are found fast; a filter by name or client without an outcome needs one scan for
 * each outcome. Each scan follows the condition that the fewest rows meet, and checks the other conditions on the rows.
 */
import { z } from 'zod'
import { search } from '#lib/config/limits.ts'
import type { EventFilter } from '#lib/ports/events.ts'
import { eventIdMark } from '#lib/protocol/request-context.ts'
import { Prisma } from '#prisma/generated/sqlite/client.ts'
import type { Tables } from '../../database.ts'

/** The IDs between these two, exclusive. `null`: not limited on this side. */
export type IdRange = { readonly after: string | null; readonly before: string | null }

/**
 * An index scan: `rows` is the condition, `columns` the order. The last column is the ID, the others are equal in all
 * rows.
 */
type EventWalk = { readonly rows: Prisma.Sql; readonly columns: readonly Prisma.Sql[] }

type Match = { readonly columns: readonly Prisma.Sql[]; readonly values: readonly string[] }
type Span = { readonly after: string; readonly before: string }

const idColumn = Prisma.sql`"id"`
const countSchema = z.tuple([z.object({ n: z.coerce.number() })])

/** Returns the scans of a filter; no event is in two of them. An empty list: no event matches. */
export async function selectEvents(
  tables: Tables,
  filter: EventFilter,
  range: IdRange,
): Promise<readonly EventWalk[]> {
  const span = spanOf(filter, range)
  const walks = await Promise.all(outcomesOf(filter).map(each => select(tables, matchesOf(each), span)))
  return walks.flat().map(walk => ({ ...walk, rows: withNames(withoutSuccesses(walk.rows, filter), filter) }))
}

/** Excludes the successes of a client by a condition on each row. */
function withoutSuccesses(rows: Prisma.Sql, { withoutSuccessesOf: client }: EventFilter): Prisma.Sql {
  if (client === undefined) return rows
  return Prisma.sql`${rows} AND COALESCE(NOT ("clientId" = ${client} AND "outcome" = 'success'), TRUE)`
}

/** Selects several names by a condition on each row. */
function withNames(rows: Prisma.Sql, { names }: EventFilter): Prisma.Sql {
  if (names === undefined) return rows
  return Prisma.sql`${rows} AND COALESCE("name" IN (${Prisma.join([...names])}), FALSE)`
}

function outcomesOf(filter: EventFilter): readonly EventFilter[] {
  const isWhole = filter.outcome !== undefined || (filter.name ?? filter.clientId) === undefined
  if (isWhole) return [filter]
  return [
    { ...filter, outcome: 'success' },
    { ...filter, outcome: 'failure' },
  ]
}

async function select(tables: Tables, matches: readonly Match[], span: Span): Promise<readonly EventWalk[]> {
  if (matches.length < 2) return [walk(matches[0], span)]
  const counts = await Promise.all(matches.map(match => countRows(tables, walk(match, span))))
  const fewest = Math.min(...counts)
  if (fewest === 0) return []
  const leading = matches[counts.indexOf(fewest)]
  const { rows, columns } = walk(leading, span)
  const others = matches.filter(match => match !== leading).map(looked)
  return [{ rows: Prisma.join([rows, ...others], ' AND '), columns }]
}

function matchesOf(filter: EventFilter): readonly Match[] {
  const { requestId, subject, reason, address, clientId, name, outcome } = filter
  const own = [
    matching(Prisma.sql`"requestId"`, requestId),
    matching(Prisma.sql`"subject"`, subject),
    matching(Prisma.sql`"reason"`, reason),
    matching(Prisma.sql`"address"`, address),
  ].flat()
  const perOutcome = [matching(Prisma.sql`"clientId"`, clientId), matching(Prisma.sql`"name"`, name)].flat()
  const [byOutcome] = matching(Prisma.sql`"outcome"`, outcome)
  if (byOutcome === undefined) return [...own, ...perOutcome]
  return perOutcome.length === 0 ? [...own, byOutcome] : [...own, ...perOutcome.map(both(byOutcome))]
}

function matching(column: Prisma.Sql, value: string | undefined): readonly Match[] {
  return value === undefined ? [] : [{ columns: [column], values: [value] }]
}

const both = (right: Match) => (left: Match) => ({
  columns: [...left.columns, ...right.columns],
  values: [...left.values, ...right.values],
})

/** Returns the IDs in both the filter's time span and the range. IDs begin with the time, and `~` sorts after all. */
function spanOf({ from, until }: EventFilter, { after, before }: IdRange): Span {
  const least = [after, from && eventIdMark(from)].filter(isGiven).toSorted().at(-1)
  const end = [before, until && eventIdMark(until)].filter(isGiven).toSorted().at(0)
  return { after: least ?? '', before: end ?? '~' }
}

function isGiven(text: string | null | undefined): text is string {
  return typeof text === 'string'
}

/**
 * Builds a scan. NOTE: the condition is a range of whole index entries, not `name = ? AND id > ?`. With an equality
 * PostgreSQL may scan the primary key in the order of IDs, and reads every event if it expects an early match. `IS NOT
 * NULL` allows a partial index: neither database infers it from the range.
 */
function walk(
  { columns: own, values }: Match = { columns: [], values: [] },
  { after, before }: Span,
): EventWalk {
  const columns = [...own, idColumn]
  const entry = Prisma.join([...columns])
  const range = Prisma.sql`(${entry}) > (${Prisma.join([...values, after])}) AND (${entry}) < (${Prisma.join([...values, before])})`
  const present = own.map(column => Prisma.sql`${column} IS NOT NULL`)
  return { rows: Prisma.join([...present, range], ' AND '), columns }
}

/**
 * Builds a condition that is checked on each row. NOTE: `COALESCE` keeps both databases from using the columns' index,
 * and PostgreSQL from expecting few rows.
 */
function looked({ columns, values }: Match): Prisma.Sql {
  const entry = Prisma.join([...columns])
  return Prisma.sql`COALESCE((${entry}) = (${Prisma.join([...values])}), FALSE)`
}

async function countRows(tables: Tables, { rows, columns }: EventWalk): Promise<number> {
  const found = await tables.$queryRaw(Prisma.sql`
    SELECT COUNT(*) AS "n" FROM (
      SELECT 1 FROM "Event" WHERE ${rows} ORDER BY ${Prisma.join([...columns])} LIMIT ${search.eventsWeighed}
    ) f`)
  return countSchema.parse(found)[0].n
}
