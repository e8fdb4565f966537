/**
 * The formats of access tokens: RFC 9068 with its own `typ` or with the general one of JWTs, and that of
 * IdentityServer3 for older APIs.
 */
import type { Grant } from '#lib/ports/grants.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { VerifiedAccessToken } from '#lib/ports/signing-keys.ts'
import type { Claims, JsonValue } from '#lib/protocol/claims.ts'
import type { GrantDetails } from '#lib/protocol/grant-details.ts'
import { type GrantId, grantIdSchema } from '#lib/protocol/ids.ts'
import type { Client } from '#lib/protocol/registration/client.ts'
import type { Scope } from '#lib/protocol/registration/scope.ts'
import { epochSeconds } from '#lib/protocol/time.ts'
import {
  type AccessTokenFormat,
  localProvider,
  localProviderOfIdentityServer3,
  passwordMethod,
  passwordMethodOfIdentityServer3,
} from '#lib/protocol/vocabulary.ts'
import { scopeClaim } from '#lib/protocol/wire/scopes.ts'

type WithSettings = { readonly settings: Pick<Ports['settings'], 'accessTokenFormat'> }

/** The formats in the order in which they win if the scopes of a token set several. */
const precedence = ['identityserver3', 'rfc9068-jwt', 'rfc9068'] as const

/**
 * Returns the format of a token, as set by the client, otherwise by the resource scopes of the token, otherwise by the
 * server.
 */
export function accessTokenFormat(
  { settings }: WithSettings,
  client: Client,
  scopes: readonly Scope[],
): AccessTokenFormat {
  if (client.accessTokenFormat !== null) return client.accessTokenFormat
  const ofScopes = scopes.map(scope => (scope.kind === 'resource' ? scope.accessTokenFormat : null))
  return precedence.find(format => ofScopes.includes(format)) ?? settings.accessTokenFormat
}

/** Returns the format of tokens that do not depend on scopes, such as ID tokens. */
export function clientFormat({ settings }: WithSettings, client: Client): AccessTokenFormat {
  return client.accessTokenFormat ?? settings.accessTokenFormat
}

export type AccessTokenFacts = {
  readonly client: Client
  readonly granted: GrantDetails
  /** The grant; `null`: the client acts for itself. */
  readonly grant: Grant | null
  readonly audience: JsonValue
  readonly issuedAt: number
  readonly expiresAt: number
}

const rfc9068Claims = (
  ports: Ports,
  { client, granted, grant, audience, issuedAt, expiresAt }: AccessTokenFacts,
): Claims => ({
  iss: ports.settings.issuer,
  aud: audience,
  exp: expiresAt,
  nbf: issuedAt,
  iat: issuedAt,
  jti: tokenId(ports, grant),
  client_id: client.clientId,
  // RFC 9068 2.2.3: a single text
  scope: granted.scopes.join(' '),
  // RFC 9068 2.2: without a user the subject is the client
  sub: grant?.subject ?? client.clientId,
  ...(grant === null ? {} : { auth_time: epochSeconds(grant.authenticatedAt), ...standardSignIn(grant) }),
})

/**
 * The claims of the protocol in every access token of a format. In the JWT of a user they identify the grant, so that
 * its revocation can be checked.
 */
export const protocolClaims: Readonly<
  Record<AccessTokenFormat, (ports: Ports, facts: AccessTokenFacts) => Claims>
> = {
  rfc9068: rfc9068Claims,
  'rfc9068-jwt': rfc9068Claims,
  identityserver3: (ports, { client, granted, grant, audience, issuedAt, expiresAt }) => ({
    iss: ports.settings.issuer,
    aud: audience,
    exp: expiresAt,
    nbf: issuedAt,
    client_id: client.clientId,
    scope: scopeClaim(granted.scopes),
    ...(grant === null ? {} : { sub: grant.subject, auth_time: epochSeconds(grant.authenticatedAt) }),
    ...(grant === null ? {} : signInClaims.identityserver3(grant)),
    ...tokenIdClaims(ports, { client, grant, issuedAt }),
  }),
}

/** Writes `role` and `groups`: RFC 9068 2.2.3.1 requires lists; IdentityServer3 writes a single value without a list. */
export const writeList: Readonly<Record<AccessTokenFormat, (values: readonly JsonValue[]) => JsonValue>> = {
  rfc9068: values => values,
  'rfc9068-jwt': values => values,
  identityserver3: values => (values.length === 1 ? (values[0] ?? null) : values),
}

const standardSignIn = ({ idp, amr, acr }: Grant): Claims => ({ idp, amr, ...(acr === null ? {} : { acr }) })

/** The claims about the sign-in: method, provider, and authentication class. `amr` is an array even with one value. */
export const signInClaims: Readonly<Record<AccessTokenFormat, (grant: Grant) => Claims>> = {
  rfc9068: standardSignIn,
  'rfc9068-jwt': standardSignIn,
  identityserver3: ({ idp, amr, acr }) => ({
    idp: idp === localProvider ? localProviderOfIdentityServer3 : idp,
    amr: amr.map(method => (method === passwordMethod ? passwordMethodOfIdentityServer3 : method)),
    ...(acr === null ? {} : { acr }),
  }),
}

/**
 * Makes `jti` and `iat`, which IdentityServer3 writes only if the client requires it (`includeJwtId`). Here every JWT
 * has a `jti`: without it two tokens of the same second would be equal, and revoking one would revoke the other.
 */
function tokenIdClaims(
  ports: Ports,
  { client, grant, issuedAt }: Pick<AccessTokenFacts, 'client' | 'grant' | 'issuedAt'>,
): Claims {
  if (client.includeJwtId) return { jti: tokenId(ports, grant), iat: issuedAt }
  return client.accessTokenType === 'reference' ? {} : { jti: tokenId(ports, grant) }
}

/** Makes `<grantId>.<random>`; for a client's own token only the random part. */
function tokenId(ports: Ports, grant: Grant | null): string {
  return grant === null ? ports.random.id() : `${grant.id}.${ports.random.id()}`
}

type TokenIdentity = {
  /** The ID under which its revocation is stored. */
  readonly id: string
  /** The ID of the grant; `null`: a client's own token, or one of the server whose signing certificate was imported. */
  readonly grantId: GrantId | null
}

/**
 * Returns the identity of a signed access token: its `jti`, or the digest of the token if it has none, because earlier
 * releases wrote JWTs in the IdentityServer3 format without `jti`. `null`: the claims contain no valid identity.
 */
export function tokenIdentity(
  { hashing }: Pick<Ports, 'hashing'>,
  token: string,
  { claims: { jti, grant_id: named }, format }: VerifiedAccessToken,
): TokenIdentity | null {
  if (jti === undefined && format === 'identityserver3') {
    const id = hashing.digest(token)
    return named === undefined ? { id, grantId: null } : withGrant(id, named)
  }
  if (typeof jti !== 'string') return null
  const dot = jti.indexOf('.')
  return dot < 0 ? { id: jti, grantId: null } : withGrant(jti, jti.slice(0, dot))
}

function withGrant(id: string, named: JsonValue): TokenIdentity | null {
  const grantId = grantIdSchema.safeParse(named).data
  return grantId === undefined ? null : { id, grantId }
}
