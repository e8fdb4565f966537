/** The introspection endpoint: RFC 7662. */
import { OauthError } from '#lib/errors/oauth-error.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { Claims } from '#lib/protocol/claims.ts'
import { scopeNameSchema } from '#lib/protocol/ids.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'
import { epochSeconds } from '#lib/protocol/time.ts'
import type { TokenEndpointAuthMethod } from '#lib/protocol/vocabulary.ts'
import { isLive, requiredParameter } from '../grants/grant.ts'
import {
  type Caller,
  type ClientRequest,
  findClientCaller,
  loadCandidates,
  presentedCredentials,
  type Registered,
  verifySecret,
} from '../token/client-authentication.ts'
import { type RefusedOutcome, withRefusals } from '../token/refusals.ts'
import { findStoredToken, storedKindsOf } from '../token/stored-tokens.ts'
import { type ReadAccessToken, readAccessToken } from '../validation/read-access-token.ts'

export type IntrospectionOutcome = { readonly kind: 'answered'; readonly response: Claims } | RefusedOutcome

/** Describes a token that is meant for the caller. Every other token is reported as not active (VE-06). */
export async function introspect(
  ports: Ports,
  request: ClientRequest,
  context: RequestContext,
): Promise<IntrospectionOutcome> {
  return withRefusals(ports, 'introspection', context, async () => {
    const caller = await authenticateCaller(ports, request, context)
    const response = await describe(ports, requiredParameter(request.parameters, 'token'), caller)
    recordAnswer(ports, caller, response, context)
    return { kind: 'answered', response }
  })
}

function recordAnswer(
  ports: Ports,
  caller: Caller,
  { active = false }: Claims,
  context: RequestContext,
): void {
  const isActive = active === true
  const by = caller.kind === 'client' ? { clientId: caller.client.clientId } : {}
  const resource = caller.kind === 'resource' ? caller.scope.name : null
  const details = { isActive, resource }
  ports.events.record({ name: 'token_introspected', outcome: 'success', ...by, details }, context)
}

// RFC 7662 2.2: the whole response about an invalid token, and about one that is not meant for the caller
const inactive: Claims = { active: false }

async function describe(ports: Ports, value: string, caller: Caller): Promise<Claims> {
  const kinds = storedKindsOf(value)
  const refresh = kinds.includes('refreshToken') ? await describeRefreshToken(ports, value, caller) : inactive
  if (refresh !== inactive) return refresh
  const token = await readAccessToken(ports, value)
  if (token === null || !isMeantFor(token, caller)) return inactive
  return { ...token.claims, active: true, scope: shownScopes(token, caller), token_type: 'Bearer' }
}

/**
 * Returns the scopes in the response. As in IdentityServer3, a resource receives only its own scope, unless it is
 * registered with `allow_unrestricted_introspection`; a client receives all.
 */
function shownScopes({ scopes }: ReadAccessToken, caller: Caller): string {
  const isRestricted = caller.kind === 'resource' && !caller.scope.allowUnrestrictedIntrospection
  return isRestricted ? caller.scope.name : scopes.join(' ')
}

function isMeantFor({ client, claims, scopes }: ReadAccessToken, caller: Caller): boolean {
  if (caller.kind === 'resource') return scopes.includes(caller.scope.name)
  const own = caller.client.clientId
  return client.clientId === own || [claims.aud].flat().includes(own)
}

async function describeRefreshToken(ports: Ports, value: string, caller: Caller): Promise<Claims> {
  if (caller.kind !== 'client') return inactive
  const found = await findStoredToken(ports, { kind: 'refreshToken', value }, ports.refreshTokens.find)
  const now = ports.clock.now()
  if (found === null || found.token.clientId !== caller.client.clientId) return inactive
  const { token } = found
  if (token.spentAt !== null || token.expiresAt <= now) return inactive
  const { grant } = token
  if (!isLive(grant, now) || !(await ports.userService.isActive(grant.subject, grant.account)))
    return inactive
  return {
    active: true,
    iss: ports.settings.issuer,
    client_id: token.clientId,
    sub: grant.subject,
    scope: grant.scopes.join(' '),
    exp: epochSeconds(token.expiresAt),
    iat: epochSeconds(token.createdAt),
  }
}

/**
 * Authenticates a confidential client or an API. Throws the errors of `presentedCredentials` and `verifySecret`, and
 * `invalid_client` for a request without a secret: a public client cannot prove its identity.
 */
async function authenticateCaller(
  ports: Ports,
  request: ClientRequest,
  context: RequestContext,
): Promise<Caller> {
  const credentials = presentedCredentials(request)
  const { method } = credentials
  if (method === 'none') throw new OauthError('no_credentials')
  const candidates = await loadCandidates(credentials, id => findCaller(ports, id, method))
  return verifySecret(ports, { method, candidates }, context)
}

// Returns only one caller for an ID, the client or otherwise the resource: with two, two secrets would be checked, and
// the check would take longer than for other IDs (LIM-05)
async function findCaller(
  ports: Ports,
  id: string,
  method: TokenEndpointAuthMethod,
): Promise<Registered<Caller>> {
  const name = scopeNameSchema.safeParse(id)
  // Read together: on PostgreSQL both share one read of the revision
  const [client, registered] = await Promise.all([
    findClientCaller(ports, id, method),
    name.success ? ports.scopes.find(name.data) : null,
  ])
  if (client.owner !== null) return client
  if (!registered?.scope.enabled || registered.scope.kind !== 'resource') return client
  return { owner: { kind: 'resource', scope: registered.scope }, secrets: registered.secrets }
}
