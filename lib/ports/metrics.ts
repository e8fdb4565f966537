/** The counter of the core for metrics, in addition to its events. */
import type { JsonValue } from '#lib/protocol/claims.ts'

/** Counts the tokens of a response, by its members. Absent if metrics are off. */
export type IssuedTokenCounter = (grantType: string, response: Readonly<Record<string, JsonValue>>) => void
