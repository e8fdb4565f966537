/** From a provider's claims to the identity the user service gets. */
import { z } from 'zod'
import { OauthError } from '#lib/errors/oauth-error.ts'
import type { IdentityProvider } from '#lib/ports/grants.ts'
import type { ExternalIdentity } from '#lib/ports/users.ts'
import { reservedClaims } from '#lib/protocol/claims.ts'

/** OpenID Connect Core 2: `sub` has at most 255 ASCII characters. */
const subjectSchema = z.string().regex(/^[\x20-\x7e]{1,255}$/)
/** Seconds since 1970, up to the last moment that a `Date` can be. */
const timeSchema = z.number().min(0).max(8_640_000_000_000).nullable().default(null)
const claimsSchema = z.object({ sub: subjectSchema, auth_time: timeSchema }).catchall(z.json())

/**
 * The claims of the ID token, overwritten by those of userinfo. Claims about the token itself are dropped, and the times
 * come from the ID token only. Throws `provider_failed` for a subject or a time that could not be kept.
 */
export function identityFrom(
  { scheme, issuer }: IdentityProvider,
  identityToken: unknown,
  profile: object | null,
): ExternalIdentity {
  const token = claimsSchema.safeParse(identityToken)
  const merged = claimsSchema.safeParse({ ...token.data, ...profile, auth_time: null })
  if (!token.success || !merged.success) throw new OauthError('claims_malformed')
  const { sub: subject, auth_time: seconds } = token.data
  const kept = Object.entries(merged.data).filter(([name]) => !reservedClaims.has(name))
  const authenticatedAt = seconds === null ? null : new Date(seconds * 1000)
  return { scheme, issuer, subject, authenticatedAt, claims: Object.fromEntries(kept) }
}
