/** Events: written in batches together with their aggregates, and read along an index. */
import { z } from 'zod'
import { retentionSeconds } from '#lib/config/limits.ts'
import type { Additions } from '#lib/ports/aggregates.ts'
import type { EventLog, StoredEvent } from '#lib/ports/events.ts'
import { eventIdMark } from '#lib/protocol/request-context.ts'
import { secondsAfter } from '#lib/protocol/time.ts'
import { type Event as EventRow, Prisma } from '#prisma/generated/sqlite/client.ts'
import type { Database } from '../../database.ts'
import type { Store } from '../../store.ts'
import { inOrderOf, insertRows } from '../rows.ts'
import { aggregateInsertions, createSeenVisitors, putVisits } from './aggregates.ts'
import { type IdRange, selectEvents } from './event-selection.ts'

export const eventLogStore: Store<EventLog> = {
  create: database => {
    const insert = insertRows<EventRow>(database.dialect, 'Event')
    const sums = aggregateInsertions(database.dialect)
    const seen = createSeenVisitors()
    return {
      write: async (events, additions = nothing) => {
        if (events.length === 0 && Object.values(additions).every(part => part.length === 0)) return
        const rows = events.length === 0 ? [] : [insert(events.map(eventToRow))]
        const visits = seen.unseen(additions.visits)
        if (visits.length === 0)
          return database.$insertTogether([...rows, ...sums(additions)], { canWait: true })
        await database.$transaction(async tables => {
          const counts = [...additions.counts, ...(await putVisits(tables, visits))]
          for (const { whole } of [...rows, ...sums({ ...additions, counts })])
            await tables.$executeRaw(whole)
        })
        seen.remember(visits)
      },
      list: (filter, before, limit) =>
        read(database, { filter, range: { after: null, before }, isNewestFirst: true, limit }),
      newer: (filter, after, limit) =>
        read(database, { filter, range: { after, before: null }, isNewestFirst: false, limit }),
      related: ({ requestId, flows = [], grantIds = [] }, limit) =>
        readMarked(
          database,
          [
            ...(requestId === undefined ? [] : [{ requestId }]),
            ...flows.map(flow => ({ flow })),
            ...grantIds.map(grantId => ({ grantId })),
          ],
          limit,
        ),
    }
  },
  // LG-07
  purge: [
    {
      label: 'events',
      table: 'Event',
      column: 'id',
      until: now => eventIdMark(secondsAfter(now, -retentionSeconds.events)),
    },
  ],
}

const nothing: Additions = { counts: [], clients: [], visits: [] }

type Reading = {
  readonly filter: Parameters<EventLog['list']>[0]
  readonly range: IdRange
  readonly isNewestFirst: boolean
  readonly limit: number
}

const idsSchema = z.array(z.object({ id: z.string() }))

async function read(
  database: Database,
  { filter, range, isNewestFirst, limit }: Reading,
): Promise<readonly StoredEvent[]> {
  const walks = await selectEvents(database, filter, range)
  const direction = isNewestFirst ? Prisma.sql`DESC` : Prisma.sql`ASC`
  const orderByPosition = (columns: readonly Prisma.Sql[]) =>
    Prisma.join(columns.map(column => Prisma.sql`${column} ${direction}`))
  const found = await Promise.all(
    walks.map(({ rows, columns }) =>
      database.$queryRaw(
        Prisma.sql`SELECT "id" FROM "Event" WHERE ${rows} ORDER BY ${orderByPosition(columns)} LIMIT ${limit}`,
      ),
    ),
  )
  const oldestFirst = found.flatMap(rows => idsSchema.parse(rows).map(row => row.id)).toSorted()
  const ids = (isNewestFirst ? oldestFirst.toReversed() : oldestFirst).slice(0, limit)
  const rows = await database.event.findMany({ where: { id: { in: ids } } })
  return inOrderOf(ids, rows, row => row.id).map(eventFromRow)
}

type Mark = { readonly requestId: string } | { readonly flow: string } | { readonly grantId: string }

/** Reads the events with any of these marks, each mark by a separate query along its index. */
async function readMarked(
  database: Database,
  marks: readonly Mark[],
  limit: number,
): Promise<readonly StoredEvent[]> {
  const found = await Promise.all(
    marks.map(where => database.event.findMany({ where, orderBy: { id: 'asc' }, take: limit })),
  )
  const byId = new Map(found.flat().map(row => [row.id, row]))
  return [...byId.values()]
    .toSorted((left, right) => (left.id < right.id ? -1 : 1))
    .slice(0, limit)
    .map(eventFromRow)
}

export function eventToRow({ details, checks, ...event }: StoredEvent): EventRow {
  return {
    ...event,
    clientId: storable(event.clientId),
    subject: storable(event.subject),
    grantType: storable(event.grantType),
    reason: storable(event.reason),
    grantId: storable(event.grantId),
    address: storable(event.address),
    userAgent: storable(event.userAgent),
    details: Object.keys(details).length === 0 ? null : JSON.stringify(details),
    checks: checks && JSON.stringify(checks),
  }
}

/**
 * Replaces characters that PostgreSQL refuses: NUL and lone surrogates. NOTE: events are written together, so all of
 * them would be lost because of one such text.
 */
function storable(text: string | null): string | null {
  return text === null ? null : text.replaceAll('\0', '\ufffd').toWellFormed()
}

/** Reads a row without checks: only this code writes these rows, through the same types. */
function eventFromRow(row: EventRow): StoredEvent {
  return {
    ...row,
    name: row.name as StoredEvent['name'],
    outcome: row.outcome as StoredEvent['outcome'],
    details: row.details === null ? {} : JSON.parse(row.details),
    checks: row.checks === null ? null : JSON.parse(row.checks),
  }
}
