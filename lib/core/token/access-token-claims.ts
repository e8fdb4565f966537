/** The claims of an access token (RFC 9068 2.2, in IdentityServer3's form where that leaves room). */
import type { Grant } from '#lib/ports/grants.ts'
import type { Ports } from '#lib/ports/ports.ts'
import { type Claims, type JsonValue, reservedClaims } from '#lib/protocol/claims.ts'
import type { ScopeName } from '#lib/protocol/ids.ts'
import type { Client } from '#lib/protocol/registration/client.ts'
import type { Scope } from '#lib/protocol/registration/scope.ts'
import { epochSeconds } from '#lib/protocol/time.ts'
import { offlineScope, scopeClaim } from '#lib/protocol/wire/scopes.ts'
import { extensionClaims } from './extension-claims.ts'

export type AccessTokenSubject = {
  readonly client: Client
  readonly scopes: readonly ScopeName[]
  /** `null`: the client acts for itself. */
  readonly grant: Grant | null
}

/** The claims every access token has. `jti` names its grant, so that a reader can see whether that still lives. */
export function protocolClaims(
  ports: Ports,
  subject: AccessTokenSubject,
  times: { readonly audience: JsonValue; readonly issuedAt: number; readonly expiresAt: number },
): Claims {
  const { client, scopes, grant } = subject
  return {
    iss: ports.settings.issuer,
    aud: times.audience,
    exp: times.expiresAt,
    nbf: times.issuedAt,
    iat: times.issuedAt,
    jti: grant === null ? ports.random.id() : `${grant.id}.${ports.random.id()}`,
    client_id: client.clientId,
    scope: scopeClaim(scopes),
    // RFC 9068 2.2: without a person the subject is the client
    sub: grant?.subject ?? client.clientId,
    ...(grant === null ? {} : authenticationClaims(grant)),
  }
}

/** How and when the person signed in; `amr` is an array even with one value. */
export function authenticationClaims(grant: Grant): Claims {
  return {
    auth_time: epochSeconds(grant.authenticatedAt),
    idp: grant.idp,
    amr: grant.amr,
    ...(grant.acr === null ? {} : { acr: grant.acr }),
  }
}

/** The audience of each resource, and the common one of resources without audience (RFC 9068 3, IdentityServer3). */
export function audienceOf(issuer: string, scopes: readonly Scope[]): JsonValue {
  const shared = `${issuer}/resources`
  const resources = scopes.filter(scope => scope.kind === 'resource' && scope.name !== offlineScope)
  const [only = shared, ...others] = new Set(resources.map(scope => scope.audience ?? shared))
  return others.length === 0 ? only : [only, ...others]
}

/** Everything beyond the protocol: about the client, about the person, and from extensions. Never a reserved name. */
export async function addedClaims(
  ports: Ports,
  subject: AccessTokenSubject,
  scopes: readonly Scope[],
): Promise<Claims> {
  const [personal, extended] = await Promise.all([
    personClaims(ports, subject, scopes),
    extendedClaims(ports, subject),
  ])
  return withoutReserved({ ...clientClaims(subject), ...personal, ...extended })
}

/** JW-15: whatever its source, no claim replaces one that describes the token itself. */
export function withoutReserved(claims: Claims): Claims {
  return Object.fromEntries(Object.entries(claims).filter(([name]) => !reservedClaims.has(name)))
}

/** The names that the resource scopes of a token open, each once. */
export function openedClaimNames(scopes: readonly Scope[]): ReadonlySet<string> {
  return new Set(scopes.flatMap(scope => (scope.kind === 'resource' ? scope.claims : [])))
}

function clientClaims({ client, grant }: AccessTokenSubject): Claims {
  if (grant !== null && !client.alwaysSendClientClaims) return {}
  return Object.fromEntries(Object.entries(client.claims).map(([name, value]) => [`client_${name}`, value]))
}

// Decided only by the scopes: an API without claims gets a token without personal data.
async function personClaims(
  ports: Ports,
  { client, grant }: AccessTokenSubject,
  scopes: readonly Scope[],
): Promise<Claims> {
  const names = openedClaimNames(scopes)
  if (grant === null || names.size === 0) return {}
  const request = { subject: grant.subject, claims: [...names], client, caller: 'access_token' } as const
  const profile = await ports.userService.profile(request)
  return Object.fromEntries(Object.entries(profile).filter(([name]) => names.has(name)))
}

function extendedClaims(ports: Ports, { client, grant, scopes }: AccessTokenSubject): Promise<Claims> {
  return extensionClaims(ports, { token: 'access_token', client, subject: grant?.subject ?? null, scopes })
}
