/** Makes the tokens of one response, stores them, and makes the response (RFC 6749 5.1). */
import type { Checks } from '#lib/errors/checks.ts'
import { OauthError } from '#lib/errors/oauth-error.ts'
import type { Grant, GrantOfUser, IssuedTokens, RefreshToken } from '#lib/ports/grants.ts'
import type { Ports } from '#lib/ports/ports.ts'
import { type Claims, type JsonValue, withoutReserved } from '#lib/protocol/claims.ts'
import type { ScopeName } from '#lib/protocol/ids.ts'
import { type Client, isPublic } from '#lib/protocol/registration/client.ts'
import { secondsAfter } from '#lib/protocol/time.ts'
import { type MintedAccessToken, mintAccessToken, mintIdToken } from './mint-tokens.ts'
import type { Permit } from './permit.ts'

export type TokenResponse = Readonly<Record<string, JsonValue>>

export type TokenIssue = {
  readonly permit: Permit
  readonly grant: GrantOfUser | null
  readonly extraClaims?: Claims
  readonly keptClaims?: Claims
  /** The ID token; `null`: the response has none. */
  readonly idToken: IdTokenPart | null
  readonly refresh: RefreshPlan
}

/**
 * How to make the ID token. `isBound`: whether `at_hash` binds it to the access token of the response, as
 * IdentityServer3 does at a refresh.
 */
type IdTokenPart = { readonly nonce: string | null; readonly isBound?: boolean }

/** Tokens that are made but not yet stored. */
export type PreparedTokens = { readonly response: TokenResponse; readonly issued: IssuedTokens }

/** Makes the tokens and stores them. Throws `invalid_grant` when the grant was revoked in the meantime. */
export async function issueTokens(ports: Ports, issue: TokenIssue, checks: Checks): Promise<TokenResponse> {
  const { response, issued } = await prepareTokens(ports, issue)
  checks.begin('grant_live')
  if (!(await ports.tokens.store(issued))) throw new OauthError('grant_revoked')
  return response
}

/** Makes the tokens without storing them, for callers that store them together with other rows. */
export async function prepareTokens(ports: Ports, issue: TokenIssue): Promise<PreparedTokens> {
  const { permit, grant, extraClaims = {} } = issue
  const { client, grantType, granted } = permit
  const minting = mintAccessToken(ports, {
    client,
    grant,
    granted,
    extraClaims,
    ...(issue.keptClaims === undefined ? {} : { keptClaims: issue.keptClaims }),
    lifetimeSeconds: client.accessTokenLifetimeSeconds,
  })
  const { scopes } = granted
  const about = { client, grantType, scopes, subject: grant?.subject ?? null }
  const [access, idToken, added] = await Promise.all([
    minting,
    mintIdTokenBeside(ports, issue, minting),
    ports.hooks.tokenResponse?.(about),
  ])
  const refresh =
    grant === null
      ? null
      : makeRefreshToken(ports, issue.refresh, { client, grant, claims: access.claims, extraClaims })
  return {
    response: {
      // Extensions can add members, but not replace one
      ...added,
      ...tokenResponse(access, { idToken, refreshToken: refresh?.value ?? null, scopes }),
    },
    issued: {
      grantId: grant?.id ?? null,
      grantExpiresAt: laterEnd(grant, access, refresh),
      refreshToken: refresh?.stored ?? null,
      referenceToken: access.reference,
      slid: refresh?.slid ?? null,
    },
  }
}

/**
 * Makes the ID token; `null` if the response has none. Both tokens are signed at the same time, unless the ID token
 * contains the hash of the access token.
 */
function mintIdTokenBeside(
  ports: Ports,
  { permit: { client, granted }, grant, idToken }: TokenIssue,
  minting: Promise<MintedAccessToken>,
): Promise<string> | null {
  if (grant === null || idToken === null) return null
  const accessToken = idToken.isBound === true ? minting.then(({ value }) => value) : null
  const { nonce } = idToken
  return mintIdToken(ports, { client, granted, grant, nonce, accessToken, includeScopeClaims: false })
}

/**
 * Returns the new expiry of the grant, if one of its tokens would otherwise outlive it; `null`: its expiry is late
 * enough, or there is no grant.
 */
function laterEnd(
  grant: Grant | null,
  { claims }: MintedAccessToken,
  refresh: MadeRefreshToken | null,
): Date | null {
  const ends = [Number(claims.exp) * 1000, refresh?.stored?.absoluteExpiresAt.getTime() ?? 0]
  const last = new Date(Math.max(...ends))
  return grant !== null && last > grant.expiresAt ? last : null
}

type ResponseParts = {
  readonly idToken: string | null
  readonly refreshToken: string | null
  readonly scopes: readonly ScopeName[]
}

// RFC 6749 5.1, in IdentityServer3's order. `scope` is always included, so that a client learns if it got less
function tokenResponse(
  access: MintedAccessToken,
  { idToken, refreshToken, scopes }: ResponseParts,
): TokenResponse {
  return {
    ...(idToken === null ? {} : { id_token: idToken }),
    access_token: access.value,
    expires_in: access.expiresInSeconds,
    token_type: 'Bearer',
    ...(refreshToken === null ? {} : { refresh_token: refreshToken }),
    scope: scopes.join(' '),
  }
}

export type RefreshPlan =
  | { readonly kind: 'none' }
  | { readonly kind: 'first' }
  /** Replaces the used token. */
  | { readonly kind: 'successor'; readonly of: RefreshToken }
  /** Returns the presented token to the client, for further use. */
  | { readonly kind: 'same'; readonly value: string; readonly of: RefreshToken }

type MadeRefreshToken = {
  readonly value: string
  readonly stored: RefreshToken | null
  readonly slid: IssuedTokens['slid']
}

type RefreshSource = {
  readonly client: Client
  readonly grant: Grant
  /** The claims of the access token of the response. */
  readonly claims: Claims
  readonly extraClaims: Claims
}

/** Makes the refresh token, or takes the presented one for further use; `null` when the plan has none. */
function makeRefreshToken(ports: Ports, plan: RefreshPlan, source: RefreshSource): MadeRefreshToken | null {
  if (plan.kind === 'none') return null
  const now = ports.clock.now()
  const { client, grant } = source
  if (plan.kind === 'same') return { value: plan.value, stored: null, slid: slide(client, plan.of, now) }
  const absoluteExpiresAt =
    plan.kind === 'successor'
      ? plan.of.absoluteExpiresAt
      : secondsAfter(now, client.absoluteRefreshTokenLifetimeSeconds)
  const value = ports.random.handle('refreshToken')
  const stored: RefreshToken = {
    digest: ports.hashing.tokenDigest(value),
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
  return { value, stored, slid: null }
}

/** Returns the reused token with its later expiry; `null` if the expiry does not become later. */
function slide(client: Client, { digest, ...token }: RefreshToken, now: Date): IssuedTokens['slid'] {
  const expiresAt = nextExpiry(client, token.absoluteExpiresAt, now)
  return expiresAt > token.expiresAt ? { digest, expiresAt } : null
}

/**
 * RT-06: returns the expiry of a refresh token that is issued or used now. With sliding expiry each use extends it, but
 * never past the absolute expiry.
 */
function nextExpiry(client: Client, absoluteExpiresAt: Date, now: Date): Date {
  if (client.refreshTokenExpiration === 'absolute') return absoluteExpiresAt
  const sliding = secondsAfter(now, client.slidingRefreshTokenLifetimeSeconds)
  return sliding < absoluteExpiresAt ? sliding : absoluteExpiresAt
}

/**
 * Whether a refresh token works only once. RFC 9700 4.14.2: a token of a public client always does, because any caller
 * could use it.
 */
export function isOneTime(client: Client): boolean {
  return isPublic(client) || client.refreshTokenUsage === 'one_time'
}

/** Returns the claims of the first access token that the next one also has. */
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

// If the claims are read again at each refresh, only those of a custom grant are stored, which cannot be read again
function rememberedClaims({ client, claims, extraClaims }: RefreshSource): Claims {
  return client.updateAccessTokenClaimsOnRefresh ? withoutReserved(extraClaims) : claims
}
