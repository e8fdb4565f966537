/** Makes access tokens, signed or by reference, and ID tokens (RFC 9068, OpenID Connect Core 2). */

import type { TokenClaims } from '#lib/ports/extensions.ts'
import type { GrantOfUser, ReferenceToken } from '#lib/ports/grants.ts'
import type { Ports } from '#lib/ports/ports.ts'
import { accessTokenKinds } from '#lib/ports/signing-keys.ts'
import { acrOfLevel } from '#lib/protocol/acr-values.ts'
import { type Claims, type JsonValue, withListClaims, withoutReserved } from '#lib/protocol/claims.ts'
import type { GrantDetails } from '#lib/protocol/grant-details.ts'
import type { ScopeName } from '#lib/protocol/ids.ts'
import type { Client } from '#lib/protocol/registration/client.ts'
import type { Scope } from '#lib/protocol/registration/scope.ts'
import { epochSeconds } from '#lib/protocol/time.ts'
import { localProvider } from '#lib/protocol/vocabulary.ts'
import { ownUrl } from '#lib/protocol/wire/own-addresses.ts'
import { offlineScope } from '#lib/protocol/wire/scopes.ts'
import { registeredScopes } from '../scopes/resolve-scopes.ts'
import { readProfile } from '../userinfo/read-profile.ts'
import { identityClaims } from '../userinfo/userinfo.ts'
import {
  accessTokenFormat,
  clientFormat,
  protocolClaims,
  signInClaims,
  writeList,
} from './access-token-format.ts'

export type AccessTokenInput = {
  readonly client: Client
  readonly granted: GrantDetails
  /** The grant; `null`: the client acts for itself. */
  readonly grant: GrantOfUser | null
  /** Claims from the caller, such as those of a custom grant. Reserved names are dropped. */
  readonly extraClaims: Claims
  /** Claims of an earlier token of the same grant, which are used instead of reading them again; see `moreClaims`. */
  readonly keptClaims?: Claims
  readonly lifetimeSeconds: number
}

export type MintedAccessToken = {
  readonly value: string
  readonly expiresInSeconds: number
  /** The row that the caller must store, together with other rows; `null` for a signed token. */
  readonly reference: ReferenceToken | null
  readonly claims: Claims
}

/** Makes an access token of the client's kind. Stores nothing. */
export async function mintAccessToken(ports: Ports, input: AccessTokenInput): Promise<MintedAccessToken> {
  const issuedAt = epochSeconds(ports.clock.now())
  const expiresInSeconds = input.lifetimeSeconds
  const registered = await registeredScopes(ports)
  const scopes = registered.filter(scope => input.granted.scopes.includes(scope.name))
  const format = accessTokenFormat(ports, input.client, scopes)
  const audience = audienceOf(ports.settings.issuer, scopes)
  const facts = { ...input, audience, issuedAt, expiresAt: issuedAt + expiresInSeconds }
  const claims = {
    ...protocolClaims[format](ports, facts),
    ...withListClaims(
      {
        ...withoutReserved({ ...input.granted.claims, ...input.extraClaims }),
        ...(await moreClaims(ports, input, { registered, scopes })),
      },
      writeList[format],
    ),
  }
  if (input.client.accessTokenType === 'reference')
    return byReference(ports, input, { claims, expiresInSeconds })
  const algorithm = format === 'identityserver3' ? 'RS256' : input.client.accessTokenSignedResponseAlg
  const value = await ports.signer.sign(claims, accessTokenKinds[format], algorithm)
  return { value, expiresInSeconds, reference: null, claims }
}

type TokenScopes = {
  readonly registered: readonly Scope[]
  /** The scopes of the token. */
  readonly scopes: readonly Scope[]
}

async function moreClaims(
  ports: Ports,
  input: AccessTokenInput,
  { registered, scopes }: TokenScopes,
): Promise<Claims> {
  const { keptClaims } = input
  if (keptClaims === undefined) return addedClaims(ports, input, scopes)
  const kept = withoutReserved(keptClaims)
  const names = lostNames(input)
  if (names.length === 0 || permitsAllClaims(scopes)) return kept
  const lost = registered.filter(({ name }) => names.includes(name))
  const isAllKnown = lost.length === names.length && !permitsAllClaims(lost)
  const closed = isAllKnown
    ? permittedClaimNames(lost)
    : await userClaimNames(ports, input, Object.keys(kept))
  const permitted = permittedClaimNames(scopes)
  return Object.fromEntries(Object.entries(kept).filter(([name]) => permitted.has(name) || !closed.has(name)))
}

/** Returns the scopes of the grant, except `offline_access`, that the new token does not have. */
function lostNames({ grant, granted }: AccessTokenInput): readonly ScopeName[] {
  return (grant?.scopes ?? []).filter(name => name !== offlineScope && !granted.scopes.includes(name))
}

/**
 * Returns which of these claims come from the profile of the user. The claims of a deleted scope, and of one that permits
 * all claims, are not known by name: after the loss of such a scope, none of the user's claims stays without a scope.
 */
async function userClaimNames(
  ports: Ports,
  { client, grant }: AccessTokenInput,
  claims: readonly string[],
): Promise<ReadonlySet<string>> {
  if (grant === null) return new Set()
  const { subject, account } = grant
  const request = { subject, account, claims, allClaims: false, client, caller: 'access_token' } as const
  return new Set(Object.keys(await readProfile(ports, request)))
}

function byReference(
  ports: Ports,
  { client, grant }: AccessTokenInput,
  { claims, expiresInSeconds }: { readonly claims: Claims; readonly expiresInSeconds: number },
): MintedAccessToken {
  const value = ports.random.handle('accessToken')
  const reference: ReferenceToken = {
    digest: ports.hashing.tokenDigest(value),
    grantId: grant?.id ?? null,
    subject: grant?.subject ?? null,
    clientId: client.clientId,
    claims,
    expiresAt: new Date(Number(claims.exp) * 1000),
  }
  return { value, expiresInSeconds, reference, claims }
}

type AccessTokenSubject = Pick<AccessTokenInput, 'client' | 'granted' | 'grant'>

/**
 * Returns the audiences of the resource scopes. Scopes without an audience share one, which is also used if there are
 * no resource scopes (RFC 9068 3, IdentityServer3).
 */
export function audienceOf(issuer: string, scopes: readonly Scope[]): JsonValue {
  const shared = ownUrl(issuer, '/resources')
  const resources = scopes.filter(scope => scope.kind === 'resource' && scope.name !== offlineScope)
  const [only = shared, ...others] = new Set(resources.map(scope => scope.audience ?? shared))
  return others.length === 0 ? only : [only, ...others]
}

/**
 * Returns the claims in addition to those of the protocol: about the client, about the user, and from extensions.
 * Reserved names are left out.
 */
async function addedClaims(
  ports: Ports,
  subject: AccessTokenSubject,
  scopes: readonly Scope[],
): Promise<Claims> {
  const [ofUser, extended] = await Promise.all([
    userClaims(ports, subject, scopes),
    extendedClaims(ports, subject),
  ])
  return withoutReserved({ ...ofUser, ...clientClaims(subject), ...extended })
}

/** Returns the names of the claims that the resource scopes among these list. */
function permittedClaimNames(scopes: readonly Scope[]): ReadonlySet<string> {
  return new Set(scopes.flatMap(scope => (scope.kind === 'resource' ? scope.claims : [])))
}

function permitsAllClaims(scopes: readonly Scope[]): boolean {
  return scopes.some(({ kind, includeAllClaimsForUser }) => kind === 'resource' && includeAllClaimsForUser)
}

function clientClaims({ client, grant }: AccessTokenSubject): Claims {
  if (grant !== null && !client.alwaysSendClientClaims) return {}
  return Object.fromEntries(Object.entries(client.claims).map(([name, value]) => [`client_${name}`, value]))
}

// Only the scopes decide which claims of the user's profile are included: if the APIs permit none, the profile is not
// read
async function userClaims(
  ports: Ports,
  { client, grant }: AccessTokenSubject,
  scopes: readonly Scope[],
): Promise<Claims> {
  const names = permittedClaimNames(scopes)
  const allClaims = permitsAllClaims(scopes)
  if (grant === null || (names.size === 0 && !allClaims)) return {}
  const { subject, account } = grant
  const request = { subject, account, claims: [...names], allClaims, client, caller: 'access_token' } as const
  const profile = await readProfile(ports, request)
  return Object.fromEntries(Object.entries(profile).filter(([name]) => allClaims || names.has(name)))
}

function extendedClaims(ports: Ports, { client, grant, granted }: AccessTokenSubject): Promise<Claims> {
  const { scopes } = granted
  return extensionClaims(ports, { token: 'access_token', client, subject: grant?.subject ?? null, scopes })
}

export type IdTokenInput = {
  readonly client: Client
  /** The granted details, which may be less than those of the grant. */
  readonly granted: GrantDetails
  readonly grant: GrantOfUser
  /** The nonce exactly as sent. */
  readonly nonce: string | null
  /** The access token to bind by `at_hash`; `null`: not bound. */
  readonly accessToken: string | null | Promise<string>
  /** The code of the same response, bound by `c_hash`, and its `state`, bound by `s_hash`. */
  readonly code?: { readonly value: string; readonly state: string | null } | null
  /**
   * Whether to include the claims of scopes: only for `response_type=id_token`, without an access token for userinfo.
   * Otherwise the token has only the claims that every ID token has, unless its client has
   * `alwaysIncludeUserClaimsInIdToken`.
   */
  readonly includeScopeClaims: boolean
}

/** Signs an ID token for the user of the grant, with the client as audience. */
export async function mintIdToken(ports: Ports, input: IdTokenInput): Promise<string> {
  const { client, grant, granted } = input
  const { subject } = grant
  const { scopes } = granted
  const [about, extended, accessToken] = await Promise.all([
    scopeClaims(ports, input),
    extensionClaims(ports, { token: 'id_token', client, subject, scopes }),
    input.accessToken,
  ])
  const claims = {
    ...idTokenClaims(ports, input),
    ...boundClaims(ports, input, accessToken),
    ...withListClaims(withoutReserved({ ...about, ...grant.claims, ...extended }), writeList.rfc9068),
  }
  return ports.signer.sign(claims, 'JWT', client.idTokenSignedResponseAlg)
}

function idTokenClaims(ports: Ports, { client, grant, nonce }: IdTokenInput): Claims {
  const format = clientFormat(ports, client)
  const { idp, ...signIn } = signInClaims[format](grant)
  const issuedAt = epochSeconds(ports.clock.now())
  return {
    iss: ports.settings.issuer,
    sub: grant.subject,
    aud: client.clientId,
    exp: issuedAt + client.idTokenLifetimeSeconds,
    nbf: issuedAt,
    iat: issuedAt,
    auth_time: epochSeconds(grant.authenticatedAt),
    ...(nonce === null ? {} : { nonce }),
    // Grants of earlier versions and imported ones have no `acr`: their users have proven one factor
    acr: acrOfLevel('pwd'),
    ...signIn,
    ...(grant.sessionId === null ? {} : { sid: grant.sessionId }),
    // Conformance suites warn about unrequested claims, so `idp` is omitted for local accounts, except in the format of
    // IdentityServer3, where they have another name
    ...(idp === localProvider ? {} : { idp }),
  }
}

/**
 * Binds the token to the other parts of its response: `at_hash` and `c_hash` (OpenID Connect Core 3.3.2.11), `s_hash` (FAPI 1.0
 * Part 2, 5.1).
 */
function boundClaims(
  { hashing }: Ports,
  { client, code = null }: IdTokenInput,
  accessToken: string | null,
): Claims {
  const hash = (value: string) => hashing.halfHash(value, client.idTokenSignedResponseAlg)
  return {
    ...(accessToken === null ? {} : { at_hash: hash(accessToken) }),
    ...(code === null ? {} : { c_hash: hash(code.value) }),
    ...(code === null || code.state === null ? {} : { s_hash: hash(code.state) }),
  }
}

function scopeClaims(
  ports: Ports,
  { client, grant, granted: { scopes }, includeScopeClaims }: IdTokenInput,
): Promise<Claims> {
  const { subject, account } = grant
  const isForEveryIdToken = !includeScopeClaims && !client.alwaysIncludeUserClaimsInIdToken
  return identityClaims(ports, { subject, account, client, caller: 'id_token', scopes, isForEveryIdToken })
}

/**
 * Returns the claims that extensions add; if two have the same name, the later one is used. May contain reserved names.
 */
async function extensionClaims(
  ports: Ports,
  request: Parameters<TokenClaims['claimsFor']>[0],
): Promise<Claims> {
  if (ports.tokenClaims.length === 0) return {}
  const added = await Promise.all(ports.tokenClaims.map(extension => extension.claimsFor(request)))
  return Object.assign({}, ...added)
}
