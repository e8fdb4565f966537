/** Reads an access token and decides whether it is valid now. */
import { identityServer3SkewSeconds, revocationMarkSeconds } from '#lib/config/limits.ts'
import type { GrantOfToken } from '#lib/ports/grants.ts'
import type { Ports } from '#lib/ports/ports.ts'
import { verifyAccessToken } from '#lib/ports/signing-keys.ts'
import type { Claims } from '#lib/protocol/claims.ts'
import { type ClientId, clientIdSchema, subjectIdSchema } from '#lib/protocol/ids.ts'
import type { Client } from '#lib/protocol/registration/client.ts'
import { secondsAfter } from '#lib/protocol/time.ts'
import type { AccessTokenFormat } from '#lib/protocol/vocabulary.ts'
import { isTooLong } from '#lib/protocol/wire/parameters.ts'
import { scopesOfClaims } from '#lib/protocol/wire/scopes.ts'
import { isLive } from '../grants/grant.ts'
import { findEnabledClient } from '../registrations/enabled-client.ts'
import { tokenIdentity } from '../token/access-token-format.ts'
import { findStoredToken, storedKindsOf } from '../token/stored-tokens.ts'

export type ReadAccessToken = {
  readonly kind: 'jwt' | 'reference'
  readonly claims: Claims
  readonly client: Client
  /**
   * The grant; `null`: the client acts for itself, or the JWT is one of the server whose signing certificate was
   * imported.
   */
  readonly grant: GrantOfToken | null
  readonly scopes: readonly string[]
}

/**
 * Returns `null` for everything that is not a valid access token, regardless of the reason (VE-05):
 * forged, of another kind, expired, revoked, of a revoked grant, of a disabled client, or of a user who is no longer
 * active.
 */
export async function readAccessToken(ports: Ports, value: string): Promise<ReadAccessToken | null> {
  const content = storedKindsOf(value).includes('accessToken')
    ? await findReference(ports, value)
    : await verifySigned(ports, value)
  if (content === null) return null
  const { kind, claims, clientId, grant } = content
  const client = await findEnabledClient(ports, clientId)
  if (client === null || !(await isUsable(ports, content))) return null
  return { kind, claims, client, grant, scopes: scopesOfClaims(claims) }
}

type TokenContent = {
  readonly kind: ReadAccessToken['kind']
  readonly claims: Claims
  readonly clientId: ClientId
  readonly grant: GrantOfToken | null
  readonly format: AccessTokenFormat
}

// JW-16: found by the digest of the whole string, so a changed character finds nothing
async function findReference(ports: Ports, value: string): Promise<TokenContent | null> {
  const found = await findStoredToken(ports, { kind: 'accessToken', value }, ports.referenceTokens.find)
  if (found === null || found.token.expiresAt <= ports.clock.now()) return null
  const { claims, clientId, grantId, grant } = found.token
  if (grantId !== null && grant === null) return null
  // A reference token has no tolerance after its expiry, in either format
  return { kind: 'reference', format: 'rfc9068', claims, clientId, grant }
}

async function verifySigned(ports: Ports, value: string): Promise<TokenContent | null> {
  if (isTooLong('token', value)) return null
  const verified = await verifyAccessToken(ports.signer, value)
  const clientId = clientIdSchema.safeParse(verified?.claims.client_id)
  if (verified === null || !clientId.success) return null
  const { claims, format } = verified
  const identity = tokenIdentity(ports, value, verified)
  if (identity === null) return null
  const { id, grantId } = identity
  const content = { kind: 'jwt', format, claims, clientId: clientId.data } as const
  if (grantId === null) return (await isOwnRevoked(ports, content, id)) ? null : { ...content, grant: null }
  const { grant, isRevoked } = await ports.revokedTokens.findOfGrant(grantId, id)
  return grant === null || isRevoked ? null : { ...content, grant }
}

/**
 * Whether a token without a grant is revoked. A JWT of the server whose signing certificate was imported names its
 * user: a new password or a sign-out everywhere revokes it like the tokens of this server. A token counts as revoked if
 * its revocation may have been deleted already because of its age.
 */
async function isOwnRevoked(
  ports: Ports,
  { clientId, claims }: Pick<TokenContent, 'clientId' | 'claims'>,
  id: string,
): Promise<boolean> {
  if (!isIssuedAfter(claims, secondsAfter(ports.clock.now(), -revocationMarkSeconds))) return true
  const subject = claims.sub === clientId ? undefined : subjectIdSchema.safeParse(claims.sub).data
  for (const owner of subject === undefined ? [clientId] : [clientId, subject]) {
    const { isRevoked, allRevokedAt } = await ports.revokedTokens.findOfOwner(owner, id)
    if (isRevoked || (allRevokedAt !== null && !isIssuedAfter(claims, allRevokedAt))) return true
  }
  return false
}

/**
 * Whether the token is newer than the revocation. `nbf` has whole seconds: all tokens of the second of the revocation
 * count as revoked.
 */
function isIssuedAfter({ nbf }: Claims, time: Date): boolean {
  return typeof nbf === 'number' && nbf * 1000 > time.getTime()
}

async function isUsable(ports: Ports, { grant, claims, clientId, format }: TokenContent): Promise<boolean> {
  if (grant === null) return isOfClientOrActiveUser(ports, claims, clientId)
  const now = ports.clock.now()
  // The grant ends with its last token. A JWT in the format of IdentityServer3 is accepted for some minutes longer
  const end = format === 'identityserver3' ? secondsAfter(now, -identityServer3SkewSeconds) : now
  if (grant.clientId !== clientId || !isLive(grant, end)) return false
  return ports.userService.isActive(grant.subject, grant.account)
}

/**
 * Whether a token without a grant belongs to a client itself or to an active user. A token of a user without a grant is
 * a JWT of the server whose signing certificate was imported.
 */
async function isOfClientOrActiveUser(ports: Ports, { sub }: Claims, clientId: ClientId): Promise<boolean> {
  if (sub === undefined || sub === clientId) return true
  const subject = subjectIdSchema.safeParse(sub)
  return subject.success && ports.userService.isActive(subject.data)
}
