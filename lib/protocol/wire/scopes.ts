/** The scopes `openid` and `offline_access`, and functions for lists of scope names. */

import type { Claims, JsonValue } from '../claims.ts'
import { scopeNameSchema } from '../ids.ts'

/** The scope of OpenID Connect requests (Core 3.1.2.1). */
export const openidScope = scopeNameSchema.parse('openid')

/** The scope that requests a refresh token (Core 11). It need not be a registered scope; if it is one, it must be enabled. */
export const offlineScope = scopeNameSchema.parse('offline_access')

/** Whether the word is a scope name (RFC 6749 3.3) of at most 100 characters, which an error may quote (5.2). */
export function isPlainScope(word: string): boolean {
  return /^[\x21\x23-\x5b\x5d-\x7e]{1,100}$/.test(word)
}

/** Splits a `scope` parameter into its words, without repetition, in their order (RFC 6749 3.3). */
export function scopeWords(value: string): readonly string[] {
  return [...new Set(value.split(' ').filter(word => word !== ''))]
}

/** Makes the `scope` claim in the form of IdentityServer3: one scope is a string, several are an array. */
export function scopeClaim(scopes: readonly string[]): JsonValue {
  const [only, second] = scopes
  return only !== undefined && second === undefined ? only : scopes
}

/** Returns the scopes of a token, in whichever form its claim is. */
export function scopesOfClaims(claims: Claims): readonly string[] {
  const value = claims.scope
  if (typeof value === 'string') return value === '' ? [] : value.split(' ')
  if (!Array.isArray(value)) return []
  return value.filter(word => typeof word === 'string')
}
