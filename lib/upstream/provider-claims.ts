/** Makes the user from the claims of a provider, with the differences between providers removed. */
import { z } from 'zod'
import { claimLimits } from '#lib/config/limits.ts'
import { OauthError } from '#lib/errors/oauth-error.ts'
import type { IdentityProvider } from '#lib/ports/upstream.ts'
import type { ExternalIdentity } from '#lib/ports/users.ts'
import { type Claims, claimsProblem, reservedClaims } from '#lib/protocol/claims.ts'
import type { PresetName } from '#lib/protocol/registration/provider-presets.ts'
import { scopeWords } from '#lib/protocol/wire/scopes.ts'

/** OpenID Connect Core 2: `sub` has at most 255 ASCII characters. */
const subjectSchema = z.string().regex(/^[\x20-\x7e]{1,255}$/)
/** Seconds since 1970, up to the latest time that a `Date` can represent. */
const timeSchema = z.number().min(0).max(8_640_000_000_000).nullable().default(null)
const claimsSchema = z.object({ sub: subjectSchema, auth_time: timeSchema }).catchall(z.json())

type Received = {
  readonly provider: IdentityProvider
  /** The issuer that was verified; with several tenants, that of the user's. */
  readonly issuer: string
  /** The claims that identify the user: those of the ID token, or of a userinfo endpoint without one. */
  readonly token: unknown
  readonly profile: object | null
  /** The parameters of the callback. They passed through the browser, so nothing may depend on them. */
  readonly parameters: Readonly<Record<string, string>>
}

/**
 * Merges the claims of the ID token and of userinfo; those of userinfo take precedence. Claims about the token itself
 * are dropped; the subject and the time of the sign-in come only from the ID token. Throws `provider_failed` for a
 * subject or a time that cannot be stored, and for claims beyond the limits of a user, which are the same for local
 * users.
 */
export function identityFrom({ provider, issuer, token, profile, parameters }: Received): ExternalIdentity {
  const { scheme, scope, preset } = provider
  const identifying = claimsSchema.safeParse(token)
  const merged = claimsSchema.safeParse({ ...identifying.data, ...profile, auth_time: null })
  if (!identifying.success || !merged.success) throw new OauthError('claims_malformed')
  const { sub: subject, auth_time: seconds } = identifying.data
  const adjusted = adjustments[preset]?.(merged.data, parameters) ?? merged.data
  const claims = Object.fromEntries(Object.entries(adjusted).filter(([name]) => !reservedClaims.has(name)))
  if (claimsProblem(claims, claimLimits.userBytes) !== null) throw new OauthError('provider_claims_too_large')
  const authenticatedAt = seconds === null ? null : new Date(seconds * 1000)
  return { scheme, issuer, subject, scopes: scopeWords(scope), authenticatedAt, claims }
}

type Adjust = (claims: Claims, parameters: Readonly<Record<string, string>>) => Claims

const adjustments: Partial<Readonly<Record<PresetName, Adjust>>> = {
  apple: appleClaims,
  microsoft: microsoftClaims,
}

const appleUserSchema = z.object({
  name: z.object({
    firstName: z.string().max(200).optional(),
    lastName: z.string().max(200).optional(),
  }),
})

/**
 * Apple writes booleans as texts in some tokens, and sends the name only in the form of the very first callback. The email address in
 * that form is ignored: the ID token has the verified one.
 */
function appleClaims(claims: Claims, { user = '' }: Readonly<Record<string, string>>): Claims {
  const isVerified = claims.email_verified === true || claims.email_verified === 'true'
  return {
    ...claims,
    ...('email_verified' in claims ? { email_verified: isVerified } : {}),
    ...appleName(user),
  }
}

function appleName(user: string): Claims {
  const read = appleUserSchema.safeParse(parsedJson(user))
  if (!read.success) return {}
  const { firstName: given = '', lastName: family = '' } = read.data.name
  const name = `${given} ${family}`.trim()
  return {
    ...(name === '' ? {} : { name }),
    ...(given === '' ? {} : { given_name: given }),
    ...(family === '' ? {} : { family_name: family }),
  }
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/**
 * Administrators of a tenant can give their users any email address, so that it counts as verified only with `xms_edov`, by which
 * Microsoft confirms that the tenant owns the domain. The picture is at an address that needs an access token.
 */
function microsoftClaims({ picture: _, ...claims }: Claims): Claims {
  const confirmed = [true, 1, '1', 'true'].some(value => value === claims.xms_edov)
  return 'email' in claims ? { ...claims, email_verified: confirmed } : claims
}
