/** What an identity provider says about a person, reduced to what may enter a new account. */
import type { Claims, JsonValue } from '#lib/protocol/claims.ts'

const longestText = 2000

const texts = new Set([
  'name',
  'given_name',
  'family_name',
  'middle_name',
  'nickname',
  'preferred_username',
  'profile',
  'picture',
  'website',
  'gender',
  'birthdate',
  'zoneinfo',
  'locale',
  'email',
  'phone_number',
])

/**
 * The standard profile (OpenID Connect Core 5.1) and nothing more: roles and permissions are ours to give.
 * An address counts as verified only when the provider says so with the JSON value `true`.
 */
export function profileClaims(claims: Claims): Claims {
  const kept = Object.fromEntries(
    Object.entries(claims).filter(([name, value]) => isProfileText(name, value)),
  )
  return { ...kept, ...verification(kept, claims, 'email'), ...verification(kept, claims, 'phone_number') }
}

function isProfileText(name: string, value: JsonValue): boolean {
  return texts.has(name) && typeof value === 'string' && value !== '' && value.length <= longestText
}

function verification(kept: Claims, claims: Claims, name: 'email' | 'phone_number'): Claims {
  return name in kept ? { [`${name}_verified`]: claims[`${name}_verified`] === true } : {}
}
