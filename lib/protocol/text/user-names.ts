/** The names and email addresses of users. */
import type { Claims } from '../claims.ts'

/**
 * Returns the canonical form of a user name: without surrounding spaces, compatibility forms folded, case ignored. Both
 * storage and rate limits must use it: with two different forms, each spelling would have separate attempts.
 */
export function canonicalUsername(username: string): string {
  return username.trim().normalize('NFKC').toLowerCase().normalize('NFKC')
}

const longestAddress = 255

/**
 * Returns the verified email address in the form of user names; `null` unless the claims contain one (OpenID Connect
 * Core 5.1) of at most 255 characters.
 */
export function verifiedEmailOf({ email, email_verified }: Claims): string | null {
  if (email_verified !== true || typeof email !== 'string' || !email.includes('@')) return null
  return email.length > longestAddress ? null : canonicalUsername(email)
}

type Named = {
  readonly claims: Claims
  /** Whether the user has a password. Users of identity providers have none, and generated user names. */
  readonly hasPassword: boolean
}

/**
 * Returns the name in the claims; if there is none and the user has no password, the preferred user name or the email
 * address, because a generated user name is meaningless to admins. `null`: show the user name.
 */
export function nameOfUser({ claims, hasPassword }: Named): string | null {
  const { name, given_name: given, family_name: family, preferred_username: preferred, email } = claims
  if (isText(name)) return name
  const parts = [given, family].filter(isText)
  if (parts.length > 0) return parts.join(' ')
  return hasPassword ? null : ([preferred, email].find(isText) ?? null)
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== ''
}

/** Returns the words that belong to a user, of which the password must not consist (AU-02). */
export function wordsAbout({
  username,
  claims,
}: {
  readonly username: string
  readonly claims: Claims
}): readonly string[] {
  const names = [claims.email, claims.name, claims.given_name, claims.family_name, claims.nickname]
  return [username, ...names.filter(name => typeof name === 'string')]
}
