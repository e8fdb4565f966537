/**
 * Which events a filter means, as one walk along an index. Every filtered column has an index of its own, in the order
 * of ids; the walk follows the one in which fewest rows match, and looks at the rows for the rest.
 */
import { z } from 'zod'
import { search } from '#lib/config/limits.ts'
import type { EventFilter } from '#lib/ports/event-log.ts'
import { eventIdMark } from '#lib/protocol/event-id.ts'
import { Prisma } from '#prisma/generated/sqlite/client.ts'
import type { Tables } from '../client.ts'

/** Ids between these, without them. */
export type IdRange = { readonly after: string | null; readonly before: string | null }

const columns = {
  referenceId: Prisma.sql`"referenceId"`,
  subject: Prisma.sql`"subject"`,
  reason: Prisma.sql`"reason"`,
  clientId: Prisma.sql`"clientId"`,
  name: Prisma.sql`"name"`,
  outcome: Prisma.sql`"outcome"`,
} as const

type Match = { readonly column: Prisma.Sql; readonly value: string }

const countSchema = z.tuple([z.object({ n: z.coerce.number() })])

/** The condition for `WHERE`. */
export async function selectEvents(tables: Tables, filter: EventFilter, range: IdRange): Promise<Prisma.Sql> {
  const span = Prisma.join(bounds(filter, range), ' AND ')
  const matches = matchesOf(filter)
  const leading = await rarest(tables, matches, span)
  const conditions = matches.map(match => (match === leading ? indexed(match) : looked(match)))
  return Prisma.join([...conditions, span], ' AND ')
}

function matchesOf(filter: EventFilter): readonly Match[] {
  const names = ['referenceId', 'subject', 'reason', 'clientId', 'name', 'outcome'] as const
  return names.flatMap(name => {
    const value = filter[name]
    return value === undefined ? [] : { column: columns[name], value }
  })
}

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

async function countRows(tables: Tables, match: Match, span: Prisma.Sql): Promise<number> {
  const found = await tables.$queryRaw(Prisma.sql`
    SELECT COUNT(*) AS "n" FROM (
      SELECT 1 FROM "Event" WHERE ${indexed(match)} AND ${span} LIMIT ${search.examined}
    ) f`)
  return countSchema.parse(found)[0].n
}

function indexed({ column, value }: Match): Prisma.Sql {
  return Prisma.sql`${column} = ${value}`
}

/** NOTE: an expression instead of the column keeps both databases from walking another index. */
function looked({ column, value }: Match): Prisma.Sql {
  return Prisma.sql`(${column} || '') = ${value}`
}
