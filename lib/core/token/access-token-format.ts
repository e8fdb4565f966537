/** The formats of access tokens: RFC 9068 with its own `typ` or with that of any JWT, and IdentityServer3 for the APIs of its time. */
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

/** Formats in order of precedence: formats whose APIs read no other come first. */
const precedence = ['identityserver3', 'rfc9068-jwt', 'rfc9068'] as const

/**
 * The format of a token: the client decides, then the resource scopes of the token, then the server. One scope whose API
 * reads no other format is enough.
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

/** The format of tokens that no scope decides about: ID tokens. */
export function clientFormat({ settings }: WithSettings, client: Client): AccessTokenFormat {
  return client.accessTokenFormat ?? settings.accessTokenFormat
}

export type AccessTokenFacts = {
  readonly client: Client
  readonly granted: GrantDetails
  /** `null`: the client acts for itself. */
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
  // RFC 9068 2.2.3: one text
  scope: granted.scopes.join(' '),
  // RFC 9068 2.2: without a user the subject is the client
  sub: grant?.subject ?? client.clientId,
  ...(grant === null ? {} : { auth_time: epochSeconds(grant.authenticatedAt), ...standardSignIn(grant) }),
})

/** The claims that every access token of a format has. A reader finds its grant in them, to check whether that is still valid. */
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

/** Writes `role` and `groups`: RFC 9068 2.2.3.1 has lists; IdentityServer3 writes a single value as text. */
export const writeList: Readonly<Record<AccessTokenFormat, (values: readonly JsonValue[]) => JsonValue>> = {
  rfc9068: values => values,
  'rfc9068-jwt': values => values,
  identityserver3: values => (values.length === 1 ? (values[0] ?? null) : values),
}

const standardSignIn = ({ idp, amr, acr }: Grant): Claims => ({ idp, amr, ...(acr === null ? {} : { acr }) })

/** Claims about the sign-in: method, provider, and the class that was reached. `amr` is an array even with one value. */
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
 * IdentityServer3 has no `jti` unless the client asks for it. Here every JWT has one: without it two tokens of one second
 * would be equal, and revoking one would revoke the other.
 */
function tokenIdClaims(
  ports: Ports,
  { client, grant, issuedAt }: Pick<AccessTokenFacts, 'client' | 'grant' | 'issuedAt'>,
): Claims {
  if (client.includeJwtId) return { jti: tokenId(ports, grant), iat: issuedAt }
  return client.accessTokenType === 'reference' ? {} : { jti: tokenId(ports, grant) }
}

/** Makes `<grantId>.<random>`, or without a dot for a client's own token. */
function tokenId(ports: Ports, grant: Grant | null): string {
  return grant === null ? ports.random.id() : `${grant.id}.${ports.random.id()}`
}

type TokenIdentity = {
  /** The ID under which its revocation is stored. */
  readonly id: string
  /** `null`: a client's own token. */
  readonly grantId: GrantId | null
}

/**
 * Returns the `jti` of a signed access token, or its digest: earlier releases wrote JWTs in the IdentityServer3 format
 * without `jti`. `null`: this server did not write its claims.
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
