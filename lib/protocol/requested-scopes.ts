/** The two scope names with a special meaning, and which requested names an error may contain. */
import { scopeNameSchema } from './ids.ts'

/** Makes a request one of OpenID Connect (Core 3.1.2.1). */
export const openidScope = scopeNameSchema.parse('openid')

/** Asks for a refresh token (Core 11). Works whether or not it is registered as a scope. */
export const offlineScope = scopeNameSchema.parse('offline_access')

/** RFC 6749 3.3 and 5.2: a scope has no character that a description may not have. A long one names nothing. */
export function isPlainScope(word: string): boolean {
  return /^[\x21\x23-\x5b\x5d-\x7e]{1,100}$/.test(word)
}
