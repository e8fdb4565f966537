/** The claims about a user that identity scopes permit, in the types of OpenID Connect Core 5.1. */
import type { Ports } from '#lib/ports/ports.ts'
import type { ProfileRequest } from '#lib/ports/users.ts'
import { type Claims, type JsonValue, reservedClaims } from '#lib/protocol/claims.ts'

export type IdentityClaimsRequest = Pick<ProfileRequest, 'subject' | 'client' | 'caller'> & {
  readonly scopes: readonly string[]
}

/** Read from the user service now. Without `sub`, which the token defines. */
export async function identityClaims(ports: Ports, request: IdentityClaimsRequest): Promise<Claims> {
  const names = await permittedNames(ports, request.scopes)
  if (names.length === 0) return {}
  const { subject, client, caller } = request
  const profile = await ports.userService.profile({ subject, client, caller, claims: names })
  return Object.fromEntries(names.flatMap(name => presentClaim(name, profile[name])))
}

async function permittedNames(ports: Ports, scopes: readonly string[]): Promise<readonly string[]> {
  const registered = await ports.scopes.all()
  const permitted = registered.filter(
    ({ scope }) => scope.kind === 'identity' && scope.enabled && scopes.includes(scope.name),
  )
  const names = new Set(permitted.flatMap(({ scope }) => scope.claims))
  return [...names].filter(name => !reservedClaims.has(name))
}

// OpenID Connect Core 5.3.2: a claim without a value is left out, never null or empty.
function presentClaim(
  name: string,
  value: JsonValue | undefined,
): ReadonlyArray<readonly [string, JsonValue]> {
  if (value === undefined || value === null || value === '') return []
  if (Array.isArray(value) && value.length === 0) return []
  return [[name, name === 'role' && !Array.isArray(value) ? [value] : value]]
}
