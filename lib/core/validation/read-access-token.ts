/** Reads an access token and decides whether it is valid now. */

import { findEnabledClient } from '#lib/ports/clients.ts'
import type { GrantOfToken } from '#lib/ports/grants.ts'
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
  readonly grant: GrantOfToken | null
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
  const { kind, claims, clientId, grant } = content
  const client = await findEnabledClient(ports, clientId)
  if (client === null || !(await isUsable(ports, grant, clientId))) return null
  return { kind, claims, client, grant, scopes: scopesOfClaims(claims) }
}

type TokenContent = {
  readonly kind: ReadAccessToken['kind']
  readonly claims: Claims
  readonly clientId: ClientId
  readonly grant: GrantOfToken | null
}

// JW-16: found by the digest of the whole string, so one changed character finds nothing
async function findReference(ports: Ports, value: string): Promise<TokenContent | null> {
  const handle = parseHandle('accessToken', value)
  const token = handle === null ? null : await ports.referenceTokens.find(ports.hashing.tokenDigest(handle))
  if (token === null || token.expiresAt <= ports.clock.now()) return null
  const { claims, clientId, grantId, grant } = token
  if (grantId !== null && grant === null) return null
  return { kind: 'reference', claims, clientId, grant }
}

async function verifySigned(ports: Ports, value: string): Promise<TokenContent | null> {
  if (isTooLong('token', value)) return null
  const verified = await ports.signer.verify(value, 'at+jwt')
  const clientId = clientIdSchema.safeParse(verified?.claims.client_id)
  const jti = verified?.claims.jti
  if (!verified || !clientId.success || typeof jti !== 'string') return null
  const content = { kind: 'jwt', claims: verified.claims, clientId: clientId.data } as const
  const grantId = grantIdOf(jti)
  if (grantId === 'malformed') return null
  if (grantId === null) return (await isOwnRevoked(ports, content, jti)) ? null : { ...content, grant: null }
  const { grant, isRevoked } = await ports.revokedTokens.findOfGrant(grantId, jti)
  return grant === null || isRevoked ? null : { ...content, grant }
}

// `<grantId>.<random>`, or without a dot for a client's own token
function grantIdOf(jti: string): GrantId | null | 'malformed' {
  const dot = jti.indexOf('.')
  if (dot < 0) return null
  return grantIdSchema.safeParse(jti.slice(0, dot)).data ?? 'malformed'
}

async function isOwnRevoked(
  ports: Ports,
  { clientId, claims }: Pick<TokenContent, 'clientId' | 'claims'>,
  jti: string,
): Promise<boolean> {
  const { isRevoked, allRevokedAt } = await ports.revokedTokens.findOfClient(clientId, jti)
  return isRevoked || (allRevokedAt !== null && !isIssuedAfter(claims, allRevokedAt))
}

/** `iat` has no fractions: all tokens of the second of the revocation count as revoked. */
function isIssuedAfter({ iat }: Claims, time: Date): boolean {
  return typeof iat === 'number' && iat * 1000 > time.getTime()
}

/** A token of a client for itself has no grant. */
async function isUsable(ports: Ports, grant: GrantOfToken | null, clientId: ClientId): Promise<boolean> {
  if (grant === null) return true
  if (grant.clientId !== clientId || !isLive(grant, ports.clock.now())) return false
  return ports.userService.isActive(grant.subject, grant.account)
}
