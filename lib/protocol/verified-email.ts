/** The e-mail address with which a user can sign in besides the user name. */
import type { Claims } from './claims.ts'
import { canonicalUsername } from './username.ts'

const longestAddress = 255

/** In the form of user names; `null` unless the claims contain a verified address (OpenID Connect Core 5.1). */
export function verifiedEmailOf({ email, email_verified }: Claims): string | null {
  if (email_verified !== true || typeof email !== 'string' || !email.includes('@')) return null
  return email.length > longestAddress ? null : canonicalUsername(email)
}
