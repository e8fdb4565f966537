/** Pages that go on where the last one ended, however many rows lie before. */
import { z } from 'zod'
import { countedAtMost } from '#lib/config/limits.ts'
import type { Counted, Page, PageRequest } from '#lib/ports/admin-lists.ts'

/** Cuts rows, of which one more was read than fits, and remembers the position of the last one. */
export function pageOf<T>(
  rows: readonly T[],
  limit: number,
  positionOf: (row: T) => readonly (string | number | null)[],
): Page<T> {
  const items = rows.slice(0, limit)
  const last = items.at(-1)
  const isMore = rows.length > limit && last !== undefined
  return { items, next: isMore ? JSON.stringify(positionOf(last)) : null }
}

/** Parses a position; an invalid one is the beginning of the list. */
export function positionIn<T>(after: string | null, schema: z.ZodType<T>): T | null {
  if (after === null) return null
  return jsonSchema.pipe(schema).safeParse(after).data ?? null
}

const jsonSchema = z.string().transform((text, context): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    context.addIssue({ code: 'custom', message: 'no JSON' })
    return z.NEVER
  }
})

/** A moment in a position. */
export const momentSchema = z
  .int()
  .min(0)
  .max(8_640_000_000_000_000)
  .transform(milliseconds => new Date(milliseconds))

const timePositionSchema = z.tuple([momentSchema.nullable(), z.string()])

/**
 * What lies beyond a position in the order of a time, then of an id: rows `upTo` this time which are `past` it, or have
 * an id `pastId`. NOTE: without `upTo` a database reads its index from the beginning.
 */
export function beyond(time: Date, id: string, isDescending: boolean) {
  return isDescending
    ? { upTo: { lte: time }, past: { lt: time }, pastId: { lt: id } }
    : { upTo: { gte: time }, past: { gt: time }, pastId: { gt: id } }
}

/** `W`: a condition of the table. */
type TimeSorted<T, W> = {
  readonly isDescending: boolean
  readonly time: (is: TimeRange) => W
  readonly id: (is: { readonly lt: string } | { readonly gt: string }) => W
  /** Rows with a time. */
  readonly present: W
  /** Rows without one; `null`: every row has one. */
  readonly missing: W | null
  readonly and: (...conditions: readonly W[]) => W
  readonly or: (...conditions: readonly W[]) => W
  /** In the order of the time, then of the id, both in this direction. */
  readonly read: (where: W, direction: 'asc' | 'desc', take: number) => Promise<readonly T[]>
  readonly positionOf: (row: T) => readonly [time: Date | null, id: string]
}

type TimeRange =
  | { readonly lt: Date }
  | { readonly gt: Date }
  | { readonly lte: Date }
  | { readonly gte: Date }

/** A page in the order of a time. NOTE: two reads, since databases do not agree on where rows without a time are sorted. */
export async function pageByTime<T, W>(
  { after, limit }: PageRequest,
  { isDescending, time, id, present, missing, and, or, read, positionOf }: TimeSorted<T, W>,
): Promise<Page<T>> {
  const direction = isDescending ? 'desc' : 'asc'
  const position = positionIn(after, timePositionSchema)
  const [lastTime, lastId] = position ?? [null, '']
  const rest = lastTime && beyond(lastTime, lastId, isDescending)
  const timedRest =
    rest === null ? present : and(present, time(rest.upTo), or(time(rest.past), id(rest.pastId)))
  const isPastTimes = position !== null && lastTime === null
  const timed = isPastTimes ? [] : await read(timedRest, direction, limit + 1)
  const isFull = missing === null || timed.length > limit
  const pastId = isDescending ? { lt: lastId } : { gt: lastId }
  const without = missing !== null && isPastTimes ? and(missing, id(pastId)) : missing
  const others = isFull || without === null ? [] : await read(without, direction, limit + 1 - timed.length)
  return pageOf([...timed, ...others], limit, row => {
    const [at, key] = positionOf(row)
    return [at === null ? null : at.getTime(), key]
  })
}

/** What was found among at most `countedAtMost + 1` rows. */
export function counted(found: number): Counted {
  return { count: Math.min(found, countedAtMost), isMore: found > countedAtMost }
}
