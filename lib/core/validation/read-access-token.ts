/** Reads an access token and decides whether it is valid now. */

import { findEnabledClient } from '#lib/ports/clients.ts'
import type { Grant } from '#lib/ports/grants.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { Claims } from '#lib/protocol/claims.ts'
import {
  type ClientId,
  clientIdSchema,
  type GrantId,
  grantIdSchema,
  hasHandlePrefix,
  parseHandle,
} from '#lib/protocol/ids.ts'
import type { Client } from '#lib/protocol/registration/client.ts'
import { isTooLong } from '#lib/protocol/wire/parameters.ts'
import { scopesOfClaims } from '#lib/protocol/wire/scopes.ts'
import { isLive } from '../grants/grant.ts'

export type ReadAccessToken = {
  readonly kind: 'jwt' | 'reference'
  readonly claims: Claims
  readonly client: Client
  /** `null`: the client acts for itself. */
  readonly grant: Grant | null
  readonly scopes: readonly string[]
}

/**
 * `null` for everything that is not a valid access token of this server, whatever the reason (VE-05): forged, of another
 * kind, expired, revoked, of a revoked grant, of a disabled client, of a user who is no longer active.
 */
export async function readAccessToken(ports: Ports, value: string): Promise<ReadAccessToken | null> {
  const content = hasHandlePrefix('accessToken', value)
    ? await findReference(ports, value)
    : await verifySigned(ports, value)
  if (content === null) return null
  const [client, grant, isOver] = await Promise.all([
    findEnabledClient(ports, content.clientId),
    liveGrant(ports, content),
    isRevoked(ports, content),
  ])
  if (isOver || client === null || grant === 'ended') return null
  const { kind, claims } = content
  return { kind, claims, client, grant, scopes: scopesOfClaims(claims) }
}

type TokenContent = {
  readonly kind: ReadAccessToken['kind']
  readonly claims: Claims
  readonly clientId: ClientId
  readonly grantId: GrantId | null
  /** Checked against the deny-list; `null` where removing the token is enough. */
  readonly jti: string | null
}

// JW-16: found by the digest of the whole string, so one changed character finds nothing
async function findReference(ports: Ports, value: string): Promise<TokenContent | null> {
  const handle = parseHandle('accessToken', value)
  const token = handle === null ? null : await ports.referenceTokens.find(ports.hashing.tokenDigest(handle))
  if (token === null || token.expiresAt <= ports.clock.now()) return null
  const { claims, clientId, grantId } = token
  return { kind: 'reference', claims, clientId, grantId, jti: null }
}

async function verifySigned(ports: Ports, value: string): Promise<TokenContent | null> {
  if (isTooLong('token', value)) return null
  const verified = await ports.signer.verify(value, 'at+jwt')
  const clientId = clientIdSchema.safeParse(verified?.claims.client_id)
  const jti = verified?.claims.jti
  if (!verified || !clientId.success || typeof jti !== 'string') return null
  const grantId = grantIdOf(jti)
  if (grantId === 'malformed') return null
  return { kind: 'jwt', claims: verified.claims, clientId: clientId.data, grantId, jti }
}

// `<grantId>.<random>`, or without a dot for a client's own token
function grantIdOf(jti: string): GrantId | null | 'malformed' {
  const dot = jti.indexOf('.')
  if (dot < 0) return null
  return grantIdSchema.safeParse(jti.slice(0, dot)).data ?? 'malformed'
}

async function isRevoked(
  { revokedTokens }: Pick<Ports, 'revokedTokens'>,
  { jti, grantId, clientId, claims }: TokenContent,
): Promise<boolean> {
  if (jti === null) return false
  const [isListed, since] = await Promise.all([
    revokedTokens.has(jti),
    grantId === null ? revokedTokens.ownRevokedAt(clientId) : null,
  ])
  return isListed || (since !== null && !isIssuedAfter(claims, since))
}

/** `iat` has no fractions: all tokens of the second of the revocation count as revoked. */
function isIssuedAfter({ iat }: Claims, time: Date): boolean {
  return typeof iat === 'number' && iat * 1000 > time.getTime()
}

async function liveGrant(ports: Ports, { grantId, clientId }: TokenContent): Promise<Grant | null | 'ended'> {
  if (grantId === null) return null
  const grant = await ports.grants.find(grantId)
  if (grant === null || grant.clientId !== clientId || !isLive(grant, ports.clock.now())) return 'ended'
  return (await ports.userService.isActive(grant.subject)) ? grant : 'ended'
}
