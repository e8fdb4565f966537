/** The revocation endpoint: RFC 7009. */
import { clockSkewSeconds, identityServer3SkewSeconds } from '#lib/config/limits.ts'
import type { Event } from '#lib/ports/events.ts'
import type { Ports } from '#lib/ports/ports.ts'
import { verifyAccessToken } from '#lib/ports/signing-keys.ts'
import type { Client } from '#lib/protocol/registration/client.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'
import { requiredParameter } from '../grants/grant.ts'
import { tokenIdentity } from '../token/access-token-format.ts'
import { authenticateClient, type ClientRequest } from '../token/client-authentication.ts'
import { type RefusedOutcome, withRefusals } from '../token/refusals.ts'
import { findStoredToken, storedKindsOf } from '../token/stored-tokens.ts'

/**
 * The outcome. `done` even when there was nothing to revoke: RFC 7009 2.2, an invalid token is what the client wants.
 */
export type RevocationOutcome = { readonly kind: 'done' } | RefusedOutcome

/**
 * Revokes a token of the calling client; the token of another client stays valid, with the same response. A refresh
 * token is revoked with its whole grant, an access token by itself. `token_type_hint` has no effect: a token of this
 * server shows its kind, and an imported one is looked for as both.
 */
export async function revoke(
  ports: Ports,
  request: ClientRequest,
  context: RequestContext,
): Promise<RevocationOutcome> {
  return withRefusals(ports, 'revocation', context, async () => {
    const client = await authenticateClient(ports, request, context)
    const revoked = await revokeToken(ports, client, requiredParameter(request.parameters, 'token'))
    recordOutcome(ports, client, revoked, context)
    return { kind: 'done' }
  })
}

/** The known owner of the revoked token; `null`: there was nothing to revoke. */
type Revoked = Pick<Event, 'subject' | 'grantId'> | null

function recordOutcome(ports: Ports, { clientId }: Client, revoked: Revoked, context: RequestContext): void {
  const outcome = revoked === null ? 'failure' : 'success'
  const why = revoked === null ? ({ reason: 'nothing_to_revoke' } as const) : revoked
  ports.events.record({ name: 'token_revoked', outcome, clientId, ...why }, context)
}

async function revokeToken(ports: Ports, client: Client, value: string): Promise<Revoked> {
  const kinds = storedKindsOf(value)
  if (kinds.length === 0) return revokeSignedToken(ports, client, value)
  const refresh = kinds.includes('refreshToken') ? await revokeRefreshToken(ports, client, value) : null
  if (refresh !== null || !kinds.includes('accessToken')) return refresh
  return revokeReferenceToken(ports, client, value)
}

async function revokeRefreshToken(ports: Ports, client: Client, value: string): Promise<Revoked> {
  const found = await findStoredToken(ports, { kind: 'refreshToken', value }, ports.refreshTokens.find)
  if (found === null || found.token.clientId !== client.clientId) return null
  const { grantId } = found.token
  const count = await ports.grants.revoke({ id: grantId }, ports.clock.now())
  return count === 0 ? null : { grantId }
}

async function revokeReferenceToken(ports: Ports, client: Client, value: string): Promise<Revoked> {
  const found = await findStoredToken(ports, { kind: 'accessToken', value }, ports.referenceTokens.find)
  if (found === null || found.token.clientId !== client.clientId) return null
  if (!(await ports.referenceTokens.remove(found.digest))) return null
  const { grant } = found.token
  return grant === null ? {} : { subject: grant.subject, grantId: grant.id }
}

// VE-07: stored until no node accepts the token, regardless of which node purges
async function revokeSignedToken(ports: Ports, client: Client, value: string): Promise<Revoked> {
  const verified = await verifyAccessToken(ports.signer, value)
  if (verified === null || verified.claims.client_id !== client.clientId) return null
  const identity = tokenIdentity(ports, value, verified)
  const { exp } = verified.claims
  if (identity === null || typeof exp !== 'number') return null
  const accepted = exp + identityServer3SkewSeconds + clockSkewSeconds
  await ports.revokedTokens.add(identity.id, new Date(accepted * 1000))
  return identity.grantId === null ? {} : { grantId: identity.grantId }
}
