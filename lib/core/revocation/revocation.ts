/** The revocation endpoint: RFC 7009. */
import { clockSkewSeconds } from '#lib/config/limits.ts'
import { isOauthError } from '#lib/errors/oauth-error.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { Client } from '#lib/protocol/client.ts'
import { hasHandlePrefix, parseHandle } from '#lib/protocol/ids.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'
import { authenticateClient } from '../token/client-auth.ts'
import { checkParameterSizes, requiredParameter } from '../token/form-parameters.ts'
import { type Refusal, refusalOf } from '../token/outcome.ts'
import type { AuthenticatedRequest } from '../token/presented-credentials.ts'

/** `done` also when there was nothing to revoke: RFC 7009 2.2, an invalid token is already what the client wants. */
export type RevocationOutcome =
  | { readonly kind: 'done' }
  | { readonly kind: 'refused'; readonly refusal: Refusal }

/**
 * Revokes a token of the client that asks; another client's stays as it is, silently. A refresh token takes its whole
 * grant with it, an access token only itself. The kind is read off the token, so that a wrong hint does no harm.
 */
export async function revoke(
  ports: Ports,
  request: AuthenticatedRequest,
  context: RequestContext,
): Promise<RevocationOutcome> {
  try {
    const client = await authenticateClient(ports, request, context)
    checkParameterSizes(request.parameters)
    const wasRevoked = await revokeToken(ports, client, requiredParameter(request.parameters, 'token'))
    const outcome = wasRevoked ? 'success' : 'failure'
    ports.events.record({ name: 'token_revoked', outcome, clientId: client.clientId }, context)
    return { kind: 'done' }
  } catch (error) {
    if (!isOauthError(error)) throw error
    return { kind: 'refused', refusal: refusalOf(error) }
  }
}

async function revokeToken(ports: Ports, client: Client, value: string): Promise<boolean> {
  if (hasHandlePrefix('refreshToken', value)) return revokeRefreshToken(ports, client, value)
  if (hasHandlePrefix('accessToken', value)) return revokeReferenceToken(ports, client, value)
  return revokeSignedToken(ports, client, value)
}

async function revokeRefreshToken(ports: Ports, client: Client, value: string): Promise<boolean> {
  const handle = parseHandle('refreshToken', value)
  const token = handle === null ? null : await ports.refreshTokens.find(ports.hashing.digest(handle))
  if (token === null || token.clientId !== client.clientId) return false
  return (await ports.grants.revoke({ id: token.grantId }, ports.clock.now())) > 0
}

async function revokeReferenceToken(ports: Ports, client: Client, value: string): Promise<boolean> {
  const handle = parseHandle('accessToken', value)
  const token = handle === null ? null : await ports.referenceTokens.find(ports.hashing.digest(handle))
  if (token === null || token.clientId !== client.clientId) return false
  return ports.referenceTokens.remove(token.digest)
}

// VE-07: remembered until `exp` has passed on every node, whichever of them purges
async function revokeSignedToken(ports: Ports, client: Client, value: string): Promise<boolean> {
  const verified = await ports.signer.verify(value, 'at+jwt')
  if (verified === null || verified.claims.client_id !== client.clientId) return false
  const { jti, exp } = verified.claims
  if (typeof jti !== 'string' || typeof exp !== 'number') return false
  await ports.revokedTokens.add(jti, new Date((exp + clockSkewSeconds) * 1000))
  return true
}
