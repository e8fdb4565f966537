/** Page tokens of the dashboard's lists: sealed, and valid only for one list with one filter (AD-07). */
import { z } from 'zod'
import { adminList } from '#lib/config/limits.ts'
import type { Page, PageRequest, TimeOrder } from '#lib/ports/admin-lists.ts'
import type { Sealing } from '#lib/ports/environment.ts'
import type { JsonValue } from '#lib/protocol/claims.ts'

export type PagingPorts = { readonly sealing: Sealing }

/** The paging parameters of lists of the API. */
export const pageFields = {
  after: z.string().max(2000).optional(),
  limit: z.coerce.number().int().min(1).max(adminList.largestPage).default(adminList.page),
} as const

/**
 * A schema for the order of a list by one of these names: `updated`, for example, for the oldest first, `-updated` for the latest
 * first, left out for the default order of the list.
 */
export function orderSchema<By extends string>(names: readonly By[]) {
  return z
    .string()
    .regex(
      new RegExp(`^-?(?:${names.join('|')})$`),
      `must be one of ${names.join(', ')}, with - before it or without`,
    )
    .transform((text): TimeOrder<By> | null => {
      const by = names.find(name => name === text.replace('-', ''))
      return by === undefined ? null : { by, isDescending: text.startsWith('-') }
    })
    .optional()
}

/** Reads the first rows of a list, page by page, for an export. */
export async function readPages<T>(
  read: (page: PageRequest) => Promise<Page<T>>,
  most: number,
): Promise<readonly T[]> {
  const rows: T[] = []
  let after: string | null = null
  do {
    const page: Page<T> = await read({ after, limit: adminList.largestPage })
    rows.push(...page.items)
    after = page.next
  } while (after !== null && rows.length < most)
  return rows.slice(0, most)
}

/** A list with its filter, for which a page token is valid. */
export type Listed = { readonly list: string; readonly filter: JsonValue }

/** The page after `token`; the first page if the token is missing, altered, or of another list or filter. */
export function pageRequest(
  { sealing }: PagingPorts,
  listed: Listed,
  token: string | undefined,
  limit: number,
): PageRequest {
  if (token === undefined) return { after: null, limit }
  try {
    return { after: sealing.open(token, placeOf(listed)), limit }
  } catch {
    // The token is not ours, or belongs to another list or filter
    return { after: null, limit }
  }
}

/** The token of the next page; `null` on the last page. */
export function nextToken({ sealing }: PagingPorts, listed: Listed, { next }: Page<unknown>): string | null {
  return next === null ? null : sealing.seal(next, placeOf(listed))
}

function placeOf({ list, filter }: Listed): string {
  return `admin:page:${list}:${JSON.stringify(filter)}`
}
