/** The name of one sign-in across its requests, in events: a short form of its waiting request's digest. */
import type { Digest } from './ids.ts'

const letters = 16

/** Names it and opens nothing: the request itself is found by the handle alone. */
export function flowOf(pending: Digest): string {
  return pending.slice(0, letters)
}
