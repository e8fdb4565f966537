/** The userinfo endpoint: OpenID Connect Core 5.3 with the errors of RFC 6750 3. */
import type { Event } from '#lib/ports/events.ts'
import type { GrantOfToken } from '#lib/ports/grants.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { ProfileRequest } from '#lib/ports/users.ts'
import {
  type Claims,
  type JsonValue,
  reservedClaims,
  withListClaims,
  withoutReserved,
} from '#lib/protocol/claims.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'
import { openidScope } from '#lib/protocol/wire/scopes.ts'
import { registeredScopes } from '../scopes/resolve-scopes.ts'
import { type ReadAccessToken, readAccessToken } from '../validation/read-access-token.ts'
import { readProfile } from './read-profile.ts'

export type UserinfoOutcome =
  | {
      readonly kind: 'claims'
      readonly claims: Claims
      /** The client and the user, for the events. */
      readonly by: Pick<Event, 'clientId' | 'subject' | 'grantId'>
    }
  | UserinfoRefusal

export type UserinfoRefusal = {
  readonly kind: 'refused'
  /** The error code; `null`: a challenge without an error, because the request contained no token (RFC 6750 3.1). */
  readonly code: 'invalid_token' | 'insufficient_scope' | 'invalid_request' | null
  readonly description: string | null
  readonly status: 400 | 401 | 403
}

/** Returns the claims of the token's identity scopes about its user, read now (VE-03), and those of the sign-in. */
export async function userinfo(
  ports: Ports,
  request: BearerRequest,
  context: RequestContext,
): Promise<UserinfoOutcome> {
  const outcome = await answer(ports, request)
  if (outcome.kind === 'claims')
    ports.events.record({ name: 'userinfo_answered', outcome: 'success', ...outcome.by }, context)
  else
    ports.events.record(
      { name: 'userinfo_refused', outcome: 'failure', reason: outcome.code ?? 'no_token' },
      context,
    )
  return outcome
}

async function answer(ports: Ports, request: BearerRequest): Promise<UserinfoOutcome> {
  const presented = presentedToken(request)
  if (presented.kind === 'none') return { kind: 'refused', code: null, description: null, status: 401 }
  if (presented.kind === 'two') return twoTokens
  const token = await readAccessToken(ports, presented.value)
  if (token === null) return invalidToken
  if (!token.scopes.includes(openidScope)) return insufficientScope
  return claimsOf(ports, token)
}

async function claimsOf(ports: Ports, { client, grant, scopes }: ReadAccessToken): Promise<UserinfoOutcome> {
  if (grant === null) return invalidToken
  const { subject, account } = grant
  const about = await identityClaims(ports, { subject, account, client, caller: 'userinfo', scopes })
  const by = { clientId: client.clientId, subject: grant.subject, grantId: grant.id }
  return { kind: 'claims', claims: { sub: grant.subject, ...about, ...signInClaims(grant) }, by }
}

/** Returns the claims of the sign-in. They replace others of the same name, as in ID tokens. */
function signInClaims({ claims }: GrantOfToken): Claims {
  if (claims === undefined) return {}
  return presentClaims(Object.entries(withoutReserved(claims)))
}

export type IdentityClaimsRequest = Omit<ProfileRequest, 'claims' | 'allClaims'> & {
  readonly scopes: readonly string[]
  /** Whether to return only the claims that every ID token has. */
  readonly isForEveryIdToken?: boolean
}

/**
 * Returns the claims about a user that identity scopes permit, in the types of OpenID Connect Core 5.1, read from the
 * user service now. They do not include `sub`, which the token defines.
 */
export async function identityClaims(ports: Ports, request: IdentityClaimsRequest): Promise<Claims> {
  const { scopes, isForEveryIdToken = false, ...about } = request
  const permitted = await permittedClaims(ports, scopes, isForEveryIdToken)
  if (permitted.claims.length === 0 && !permitted.allClaims) return {}
  const profile = await readProfile(ports, { ...about, ...permitted })
  const found = permitted.allClaims
    ? Object.entries(withoutReserved(profile))
    : permitted.claims.map(name => [name, profile[name]] as const)
  return presentClaims(found)
}

async function permittedClaims(
  ports: Ports,
  names: readonly string[],
  isForEveryIdToken: boolean,
): Promise<Pick<ProfileRequest, 'claims' | 'allClaims'>> {
  const granted = (await registeredScopes(ports)).filter(
    ({ kind, enabled, name }) => kind === 'identity' && enabled && names.includes(name),
  )
  const claims = granted.flatMap(scope => (isForEveryIdToken ? scope.alwaysIncludeInIdToken : scope.claims))
  return {
    claims: [...new Set(claims)].filter(name => !reservedClaims.has(name)),
    allClaims: granted.some(scope => scope.includeAllClaimsForUser),
  }
}

// OpenID Connect Core 5.3.2: a claim without a value is left out, never null or empty
function presentClaims(found: ReadonlyArray<readonly [string, JsonValue | undefined]>): Claims {
  const present = found.flatMap(([name, value]) =>
    value === undefined || isEmpty(value) ? [] : [[name, value] as const],
  )
  return withListClaims(Object.fromEntries(present), values => values)
}

function isEmpty(value: JsonValue): boolean {
  return value === null || value === '' || (Array.isArray(value) && value.length === 0)
}

const invalidToken: UserinfoRefusal = {
  kind: 'refused',
  code: 'invalid_token',
  description: 'The access token is malformed, expired or revoked.',
  status: 401,
}

const insufficientScope: UserinfoRefusal = {
  kind: 'refused',
  code: 'insufficient_scope',
  description: 'The access token lacks the scope openid.',
  status: 403,
}

const twoTokens: UserinfoRefusal = {
  kind: 'refused',
  code: 'invalid_request',
  description: 'Send the access token in the header or in the body, not in both.',
  status: 400,
}

export type BearerRequest = {
  /** The raw `Authorization` header. */
  readonly authorization: string | null
  /** The `access_token` of a form body. A query string is never read, because URLs end up in logs. */
  readonly bodyToken: string | null
}

export type PresentedToken =
  | { readonly kind: 'none' }
  | { readonly kind: 'two' }
  | { readonly kind: 'one'; readonly value: string }

/**
 * Reads the token. A header with a different scheme contains no token. A token that is sent twice is refused like two
 * tokens.
 */
export function presentedToken({ authorization, bodyToken }: BearerRequest): PresentedToken {
  const headerToken = authorization === null ? null : bearerOf(authorization)
  const given = [headerToken, bodyToken].filter(value => value !== null && value !== '')
  const [value] = given
  if (given.length > 1) return { kind: 'two' }
  return typeof value === 'string' ? { kind: 'one', value } : { kind: 'none' }
}

// RFC 9110 11.1: the letter case of a scheme does not matter
function bearerOf(authorization: string): string | null {
  return /^bearer(?: +(.*))?$/i.exec(authorization.trim())?.[1] ?? null
}
