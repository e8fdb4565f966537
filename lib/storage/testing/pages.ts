/** Reads a list page by page to its end. */
import assert from 'node:assert/strict'
import type { Page, PageRequest } from '#lib/ports/admin-lists.ts'

/** Returns every item in order, read `limit` at a time. */
export async function readAll<T>(
  read: (page: PageRequest) => Promise<Page<T>>,
  limit: number,
): Promise<readonly T[]> {
  const items: T[] = []
  let after: string | null = null
  do {
    const page: Page<T> = await read({ after, limit })
    assert.ok(page.items.length <= limit)
    items.push(...page.items)
    after = page.next
  } while (after !== null)
  return items
}

/** Invalid positions, for which every list must begin at its first row. */
export const malformedPositions = [
  '',
  'x',
  '[]',
  '{}',
  'null',
  '[null]',
  '[1e99,"x"]',
  '[-1,"",""]',
  '"\u0000"',
  '[[["',
]
