/** Makes refresh tokens and decides how long they live. */
import type { Grant, RefreshToken } from '#lib/ports/grants.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { Claims } from '#lib/protocol/claims.ts'
import { type Client, isPublic } from '#lib/protocol/registration/client.ts'
import { secondsAfter } from '#lib/protocol/time.ts'
import { withoutReserved } from './access-token-claims.ts'

export type RefreshPlan =
  | { readonly kind: 'none' }
  | { readonly kind: 'first' }
  /** Replaces a token that is being spent. */
  | { readonly kind: 'successor'; readonly of: RefreshToken }
  /** The presented token goes back to the client, to be used again. */
  | { readonly kind: 'same'; readonly value: string }

export type MadeRefreshToken = {
  readonly value: string
  readonly stored: RefreshToken | null
  readonly lastsUntil: Date | null
}

export type RefreshSource = {
  readonly client: Client
  readonly grant: Grant
  /** The content of the access token of the response. */
  readonly claims: Claims
  readonly extraClaims: Claims
}

/** `null` when the plan asks for none. */
export function makeRefreshToken(
  ports: Ports,
  plan: RefreshPlan,
  source: RefreshSource,
): MadeRefreshToken | null {
  if (plan.kind === 'none') return null
  if (plan.kind === 'same') return { value: plan.value, stored: null, lastsUntil: null }
  const now = ports.clock.now()
  const { client, grant } = source
  const absoluteExpiresAt =
    plan.kind === 'successor'
      ? plan.of.absoluteExpiresAt
      : secondsAfter(now, client.absoluteRefreshTokenLifetimeSeconds)
  const value = ports.random.handle('refreshToken')
  const stored: RefreshToken = {
    digest: ports.hashing.digest(value),
    grantId: grant.id,
    clientId: client.clientId,
    absoluteExpiresAt,
    expiresAt: nextExpiry(client, absoluteExpiresAt, now),
    createdAt: now,
    accessTokenClaims: plan.kind === 'successor' ? plan.of.accessTokenClaims : rememberedClaims(source),
    spentAt: null,
    successor: null,
    sealedAnswer: null,
    answerExpiresAt: null,
  }
  return { value, stored, lastsUntil: absoluteExpiresAt }
}

/** RT-06: with sliding expiry each use moves the end, never past the absolute one. */
export function nextExpiry(client: Client, absoluteExpiresAt: Date, now: Date): Date {
  if (client.refreshTokenExpiration === 'absolute') return absoluteExpiresAt
  const sliding = secondsAfter(now, client.slidingRefreshTokenLifetimeSeconds)
  return sliding < absoluteExpiresAt ? sliding : absoluteExpiresAt
}

/** RFC 9700 4.14.2: the refresh token of a public client, which any caller could use, always works only once. */
export function isOneTime(client: Client): boolean {
  return isPublic(client) || client.refreshTokenUsage === 'one_time'
}

/** What the next access token takes over from the first one. */
export function carriedClaims(
  client: Client,
  remembered: Claims,
): { extraClaims: Claims; keptClaims?: Claims } {
  const isWholeToken = 'iss' in remembered
  if (!isWholeToken) return { extraClaims: remembered }
  return client.updateAccessTokenClaimsOnRefresh
    ? { extraClaims: {} }
    : { extraClaims: {}, keptClaims: remembered }
}

// If claims are read again, only those of a custom grant must be kept, because they cannot be read again.
function rememberedClaims({ client, claims, extraClaims }: RefreshSource): Claims {
  return client.updateAccessTokenClaimsOnRefresh ? withoutReserved(extraClaims) : claims
}
