/** The claims about a person that identity scopes open, in the types OpenID Connect Core 5.1 gives them. */
import type { Ports } from '#lib/ports/ports.ts'
import type { ProfileRequest } from '#lib/ports/users.ts'
import { type Claims, type JsonValue, reservedClaims } from '#lib/protocol/claims.ts'

export type IdentityClaimsRequest = Pick<ProfileRequest, 'subject' | 'client' | 'caller'> & {
  readonly scopes: readonly string[]
}

/** Read from the user service at this moment. `sub` is not among them: it is the token's to say. */
export async function identityClaims(ports: Ports, request: IdentityClaimsRequest): Promise<Claims> {
  const names = await openedNames(ports, request.scopes)
  if (names.length === 0) return {}
  const { subject, client, caller } = request
  const profile = await ports.userService.profile({ subject, client, caller, claims: names })
  return Object.fromEntries(names.flatMap(name => presentClaim(name, profile[name])))
}

async function openedNames(ports: Ports, scopes: readonly string[]): Promise<readonly string[]> {
  const registered = await ports.scopes.all()
  const opened = registered.filter(
    ({ scope }) => scope.kind === 'identity' && scope.enabled && scopes.includes(scope.name),
  )
  const names = new Set(opened.flatMap(({ scope }) => scope.claims))
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
