/** Pages that go on where the last one ended, however many rows lie before. */
import { z } from 'zod'
import { countedAtMost } from '#lib/config/limits.ts'
import type { Counted, Page } from '#lib/ports/admin-lists.ts'

/** Cuts rows, of which one more was read than fits, and remembers the position of the last one. */
export function pageOf<T>(
  rows: readonly T[],
  limit: number,
  positionOf: (row: T) => readonly (string | number)[],
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

/** What was found among at most `countedAtMost + 1` rows. */
export function counted(found: number): Counted {
  return { count: Math.min(found, countedAtMost), isMore: found > countedAtMost }
}
