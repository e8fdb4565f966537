/** The name of one sign-in across its requests, in events: a short form of its waiting request's digest. */
import type { Digest } from './ids.ts'

const letters = 16

/** An identifier, not a credential: the request itself is found only by the handle. */
export function flowOf(pending: Digest): string {
  return pending.slice(0, letters)
}
