/** The `scope` claim of our tokens. */
import type { Claims, JsonValue } from './claims.ts'

/** IdentityServer3's form: one scope is a string, several are an array. */
export function scopeClaim(scopes: readonly string[]): JsonValue {
  const [only, second] = scopes
  return only !== undefined && second === undefined ? only : scopes
}

/** The scope words of a token, whichever form its claim has. */
export function scopesOfClaims(claims: Claims): readonly string[] {
  const value = claims.scope
  if (typeof value === 'string') return value === '' ? [] : value.split(' ')
  if (!Array.isArray(value)) return []
  return value.filter(word => typeof word === 'string')
}
