/** Page tokens of the dashboard's lists: sealed, and valid only for one list with one filter (AD-07). */
import { z } from 'zod'
import { adminList } from '#lib/config/limits.ts'
import type { Page, PageRequest } from '#lib/ports/admin-lists.ts'
import type { Sealing } from '#lib/ports/environment.ts'
import type { JsonValue } from '#lib/protocol/claims.ts'

export type PagingPorts = { readonly sealing: Sealing }

/** What every list of the API is asked: from where on, and how many. */
export const pageFields = {
  after: z.string().max(2000).optional(),
  limit: z.coerce.number().int().min(1).max(adminList.largestPage).default(adminList.page),
} as const

/** The list's name and everything that shapes it. */
export type Listed = { readonly list: string; readonly filter: JsonValue }

/** The page after `token`; the first one when it is missing, altered, or of another list. */
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
    // Not ours, or of another filter
    return { after: null, limit }
  }
}

/** The token of the page after this one; `null` at the end. */
export function nextToken({ sealing }: PagingPorts, listed: Listed, { next }: Page<unknown>): string | null {
  return next === null ? null : sealing.seal(next, placeOf(listed))
}

function placeOf({ list, filter }: Listed): string {
  return `admin:page:${list}:${JSON.stringify(filter)}`
}
