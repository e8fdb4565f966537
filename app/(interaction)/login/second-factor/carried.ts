/** The handles of an interrupted sign-in, which the pages for a second factor and their forms pass on. */
import type { Query } from '#lib/http/page-frame.ts'
import { encodeForm } from '#lib/http/read-params.ts'

/** Returns the handles of the interrupted sign-in and of its pending request. */
export function carriedIn(query: Readonly<Record<string, string | undefined>>): Query {
  const { partial = '', pending } = query
  return { partial, ...(pending === undefined ? {} : { pending }) }
}

/** Adds these handles to a path. */
export function withHandles(path: string, carried: Query): string {
  return `${path}?${encodeForm(Object.entries(carried))}`
}
