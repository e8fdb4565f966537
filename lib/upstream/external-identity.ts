/** From a provider's claims to the identity the user service gets. */
import { z } from 'zod'
import { OauthError } from '#lib/errors/oauth-error.ts'
import type { IdentityProvider } from '#lib/ports/grants.ts'
import type { ExternalIdentity } from '#lib/ports/users.ts'
import { reservedClaims } from '#lib/protocol/claims.ts'

/** OpenID Connect Core 2: `sub` has at most 255 ASCII characters. */
const claimsSchema = z.object({ sub: z.string().regex(/^[\x20-\x7e]{1,255}$/) }).catchall(z.json())

/** Claims about the token itself are dropped. Throws `provider_failed` for a subject that could not be kept. */
export function identityFrom({ scheme }: IdentityProvider, claims: unknown): ExternalIdentity {
  const parsed = claimsSchema.safeParse(claims)
  if (!parsed.success) throw new OauthError('provider_failed', 'claims_malformed')
  const kept = Object.entries(parsed.data).filter(([name]) => !reservedClaims.has(name))
  return { scheme, subject: parsed.data.sub, claims: Object.fromEntries(kept) }
}
