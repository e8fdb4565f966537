/** Single-use links that create an administrator: the first owner, or an invited one. */

import type { AdminInvitation } from '#lib/ports/administration.ts'
import type { AdminRole } from '#lib/protocol/admin-role.ts'
import { type Digest, type InvitationHandle, parseHandle, type SubjectId } from '#lib/protocol/ids.ts'
import { secondsAfter } from '#lib/protocol/time.ts'
import { ownUrl } from '#lib/protocol/wire/own-addresses.ts'
import type { AdminPorts } from '../admin-ports.ts'
import { may } from './permissions.ts'

export type NewInvitation = {
  readonly role: AdminRole
  /** The owner who invites; `null` for the operator. */
  readonly createdBy: SubjectId | null
  readonly lifetimeSeconds: number
}

/** Makes an invitation. The link has its handle, and the store only the digest of the handle. */
export function newInvitation(
  { random, hashing, clock }: Pick<AdminPorts, 'random' | 'hashing' | 'clock'>,
  { lifetimeSeconds, ...rest }: NewInvitation,
): { readonly handle: InvitationHandle; readonly invitation: AdminInvitation } {
  const handle = random.handle('invitation')
  const createdAt = clock.now()
  const expiresAt = secondsAfter(createdAt, lifetimeSeconds)
  return { handle, invitation: { ...rest, digest: hashing.digest(handle), createdAt, expiresAt } }
}

/** The link of an invitation, for the invited user or for the first owner. */
export function setUpLink(issuer: string, handle: InvitationHandle): string {
  return ownUrl(issuer, `/admin/setup?token=${handle}`)
}

/** The ID of an invitation in logs and lists, which must not contain its whole digest (LG-03). */
export function invitationId(digest: Digest): string {
  return digest.slice(0, 12)
}

/** The role and expiry of an invitation, without its token. */
export function invitationFacts({ role, expiresAt }: AdminInvitation) {
  return { role, expires_at: expiresAt.toISOString() }
}

/**
 * Finds the invitation of a link without consuming it. Returns `null` if it is unknown, used or expired, or if its creator may no
 * longer invite.
 */
export async function findInvitation(
  ports: Pick<AdminPorts, 'adminInvitations' | 'administrators' | 'hashing' | 'clock'>,
  token: string | undefined,
): Promise<AdminInvitation | null> {
  const handle = parseHandle('invitation', token)
  if (handle === null) return null
  const invitation = await ports.adminInvitations.find(ports.hashing.digest(handle), ports.clock.now())
  if (invitation === null || invitation.createdBy === null) return invitation
  const host = await ports.administrators.find(invitation.createdBy)
  return host !== null && may(host.role, 'administrators:invite') ? invitation : null
}
