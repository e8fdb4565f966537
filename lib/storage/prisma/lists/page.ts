/**
 * Pages of lists. Each continues after the last row of the previous page, at a cost that does not depend on the number
 * of earlier rows.
 */
import { z } from 'zod'
import { countedAtMost } from '#lib/config/limits.ts'
import type { Counted, Page, PageRequest } from '#lib/ports/admin-lists.ts'
import { parseJson } from '#lib/protocol/text/json-text.ts'

/**
 * Makes a page of the first `limit` rows. The caller reads one row more: if there is one, `next` is the position of the
 * last row on the page.
 */
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

/** Parses a position; an invalid position means the beginning of the list. */
export function positionIn<T>(after: string | null, schema: z.ZodType<T>): T | null {
  return after === null ? null : (schema.safeParse(parseJson(after)).data ?? null)
}

const timePositionSchema = z.tuple([
  z
    .int()
    .min(0)
    .max(8_640_000_000_000_000)
    .transform(milliseconds => new Date(milliseconds))
    .nullable(),
  z.string(),
])

export type Range<T> = { readonly lt: T } | { readonly gt: T }

/** A part of a list in the order of a time, then of an ID, both in this direction. */
export type TimeWalk = {
  readonly direction: 'asc' | 'desc'
  readonly take: number
  /** `false`: the rows without this time, in the order of their ids. */
  readonly isTimed: boolean
  /** The position of the last row of the previous page; `null` at the beginning. */
  readonly after: { readonly time: Date | null; readonly id: string } | null
}

type TimeSorted<T> = {
  readonly isDescending: boolean
  /** Whether rows can lack this time. */
  readonly hasUntimed?: boolean
  readonly read: (walk: TimeWalk) => Promise<readonly T[]>
  readonly positionOf: (row: T) => readonly [time: Date | null, id: string]
}

/**
 * Reads a page in the order of a time; rows without a time come last. NOTE: these are read separately, since databases
 * do not agree on where they are sorted.
 */
export async function pageByTime<T>(
  { after, limit }: PageRequest,
  { isDescending, hasUntimed = false, read, positionOf }: TimeSorted<T>,
): Promise<Page<T>> {
  const direction = isDescending ? 'desc' : 'asc'
  const [time, id] = positionIn(after, timePositionSchema) ?? [null, null]
  const position = id === null ? null : { time, id }
  const isPastTimes = position !== null && time === null
  const timed = isPastTimes ? [] : await read({ direction, take: limit + 1, isTimed: true, after: position })
  const others =
    !hasUntimed || timed.length > limit
      ? []
      : await read({
          direction,
          take: limit + 1 - timed.length,
          isTimed: false,
          after: isPastTimes ? position : null,
        })
  return pageOf([...timed, ...others], limit, row => {
    const [at, key] = positionOf(row)
    return [at === null ? null : at.getTime(), key]
  })
}

/**
 * The condition for rows that a walk has not reached; `time` and `id` make conditions on the table. NOTE: its first
 * part follows from the others, but without it a database scans its index from the beginning.
 */
export function restOf<T, I>(
  { direction, after }: TimeWalk,
  time: (is: Range<Date> | { readonly lte: Date } | { readonly gte: Date }) => T,
  id: (is: Range<string>) => I,
): { AND?: (T | I)[]; OR?: (T | I)[] } {
  if (after === null) return {}
  const past = <V>(value: V) => (direction === 'desc' ? { lt: value } : { gt: value })
  const pastId = id(past(after.id))
  if (after.time === null) return { AND: [pastId] }
  const upTo = direction === 'desc' ? { lte: after.time } : { gte: after.time }
  return { AND: [time(upTo)], OR: [time(past(after.time)), pastId] }
}

/** Converts the number of found rows, at most `countedAtMost + 1`, to the displayed count. */
export function counted(found: number): Counted {
  return { count: Math.min(found, countedAtMost), isMore: found > countedAtMost }
}
