/** Makes everything a grant gives its client at one time, and the answer that carries it. */
import type { Grant, ReferenceToken, RefreshToken } from '#lib/ports/grants.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { Claims } from '#lib/protocol/claims.ts'
import type { ScopeName } from '#lib/protocol/ids.ts'
import type { Client } from '#lib/protocol/registration/client.ts'
import { type MintedAccessToken, mintAccessToken } from './access-token.ts'
import { mintIdentityToken } from './identity-token.ts'
import type { TokenResponse } from './outcome.ts'
import { makeRefreshToken, type RefreshPlan } from './refresh-token.ts'

export type TokenIssue = {
  readonly client: Client
  readonly scopes: readonly ScopeName[]
  readonly grant: Grant | null
  readonly extraClaims?: Claims
  readonly keptClaims?: Claims
  /** `null`: no ID token. */
  readonly identity: IdentityPart | null
  readonly refresh: RefreshPlan
}

/** `isBound`: by `at_hash` to the access token of the response, as IdentityServer3 does at a refresh. */
type IdentityPart = { readonly nonce: string | null; readonly isBound?: boolean }

/** Made, and not yet stored. */
export type PreparedTokens = {
  readonly response: TokenResponse
  readonly accessToken: ReferenceToken | null
  readonly refreshToken: RefreshToken | null
  /** When the last of them ends: the grant must live as long. */
  readonly lastsUntil: Date
}

/** Makes the tokens and stores what must be stored. The grant itself must exist already. */
export async function issueTokens(ports: Ports, issue: TokenIssue): Promise<TokenResponse> {
  const prepared = await prepareTokens(ports, issue)
  if (issue.grant !== null) await outlive(ports, issue.grant, prepared.lastsUntil)
  if (prepared.refreshToken !== null) await ports.refreshTokens.create(prepared.refreshToken)
  if (prepared.accessToken !== null) await ports.referenceTokens.create(prepared.accessToken)
  return prepared.response
}

/** Creates the tokens without storing them, for callers that store them together with other rows. */
export async function prepareTokens(ports: Ports, issue: TokenIssue): Promise<PreparedTokens> {
  const { client, grant, identity, extraClaims = {} } = issue
  const access = await mintAccessToken(ports, {
    client,
    grant,
    scopes: issue.scopes,
    extraClaims,
    ...(issue.keptClaims === undefined ? {} : { keptClaims: issue.keptClaims }),
    lifetimeSeconds: client.accessTokenLifetimeSeconds,
  })
  const identityToken =
    grant === null || identity === null
      ? null
      : await mintIdentityToken(ports, {
          client,
          grant,
          nonce: identity.nonce,
          accessToken: identity.isBound === true ? access.value : null,
          includeScopeClaims: false,
        })
  const refresh =
    grant === null
      ? null
      : makeRefreshToken(ports, issue.refresh, { client, grant, claims: access.claims, extraClaims })
  return {
    response: tokenResponse(access, {
      identityToken,
      refreshToken: refresh?.value ?? null,
      scopes: issue.scopes,
    }),
    accessToken: access.reference,
    refreshToken: refresh?.stored ?? null,
    lastsUntil: later(new Date(Number(access.claims.exp) * 1000), refresh?.lastsUntil ?? null),
  }
}

/** Extends a grant beyond the end of its tokens. */
export async function outlive(ports: Ports, grant: Grant, lastsUntil: Date): Promise<void> {
  if (lastsUntil > grant.expiresAt) await ports.grants.extend(grant.id, lastsUntil)
}

type ResponseParts = {
  readonly identityToken: string | null
  readonly refreshToken: string | null
  readonly scopes: readonly ScopeName[]
}

// RFC 6749 5.1, in IdentityServer3's order. `scope` is always included, so that a reduced one is never missed.
function tokenResponse(
  access: MintedAccessToken,
  { identityToken, refreshToken, scopes }: ResponseParts,
): TokenResponse {
  return {
    ...(identityToken === null ? {} : { id_token: identityToken }),
    access_token: access.value,
    expires_in: access.expiresInSeconds,
    token_type: 'Bearer',
    ...(refreshToken === null ? {} : { refresh_token: refreshToken }),
    scope: scopes.join(' '),
  }
}

function later(first: Date, second: Date | null): Date {
  return second !== null && second > first ? second : first
}
