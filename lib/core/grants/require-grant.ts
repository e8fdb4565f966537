/** Loads the grant behind a code or a refresh token and refuses one that no longer holds. */
import { OauthError } from '#lib/errors/oauth-error.ts'
import type { Grant } from '#lib/ports/grants.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { GrantId, ScopeName } from '#lib/protocol/ids.ts'
import type { Client } from '#lib/protocol/registration/client.ts'
import { stillAllowed } from '../token/requested-scopes.ts'

export type UsableGrant = { readonly grant: Grant; readonly scopes: readonly ScopeName[] }

/**
 * The grant, if it was not revoked and its user may still sign in, with the scopes the client may still have.
 * Throws `invalid_grant` otherwise (CD-14, RT-05).
 */
export async function requireUsableGrant(ports: Ports, client: Client, id: GrantId): Promise<UsableGrant> {
  return requireUsable(ports, client, await requireActiveGrant(ports, client, id))
}

/** The grant if it was not revoked, whether or not its user may still sign in. Throws `invalid_grant` otherwise. */
export async function requireActiveGrant(ports: Ports, client: Client, id: GrantId): Promise<Grant> {
  const grant = await ports.grants.find(id)
  if (grant === null || grant.revokedAt !== null) throw new OauthError('grant_revoked')
  if (!isLive(grant, ports.clock.now())) throw new OauthError('grant_expired')
  if (grant.clientId !== client.clientId) throw new OauthError('grant_of_another_client')
  return grant
}

/** The same for an active grant that is already loaded. */
export async function requireUsable(ports: Ports, client: Client, grant: Grant): Promise<UsableGrant> {
  await requireActiveUser(ports, grant.subject)
  const scopes = await stillAllowed(ports, client, grant.scopes)
  if (scopes.length === 0) throw new OauthError('no_scope_left')
  return { grant, scopes }
}

/** Neither revoked nor past the last thing issued on it. */
export function isLive(grant: Grant, now: Date): boolean {
  return grant.revokedAt === null && grant.expiresAt > now
}

/** Throws `invalid_grant` when the user is unknown or no longer active (AU-10). */
export async function requireActiveUser(ports: Ports, subject: Grant['subject']): Promise<void> {
  if (!(await ports.userService.isActive(subject))) throw new OauthError('subject_inactive')
}
