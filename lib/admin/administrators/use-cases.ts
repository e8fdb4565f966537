/** Invites administrators, changes their roles, and removes them. */

import { z } from 'zod'
import { adminSession as limits } from '#lib/config/limits.ts'
import type { AdminWrite } from '#lib/ports/admin-store.ts'
import { type AdminRole, adminRoleSchema } from '#lib/protocol/admin-role.ts'
import { type SubjectId, subjectIdSchema } from '#lib/protocol/ids.ts'
import { invitationFacts, invitationId, newInvitation, setUpLink } from '../access/invitations.ts'
import type { AdminPorts } from '../admin-ports.ts'
import { notFound } from '../admin-result.ts'
import { commit, defineUseCase, type UseCase } from '../use-case.ts'
import { addClient } from './add-client.ts'
import { listAdministrators } from './read-administrators.ts'

const outputSchema = z.object({ subject: z.string(), role: adminRoleSchema.nullable() })

export const setRole = defineUseCase({
  name: 'administrators.set_role',
  permission: 'administrators:update',
  summary: 'Changes the role of an administrator. It applies to the next request.',
  done: 'Role changed. It applies immediately.',
  isSensitive: true,
  input: z.object({ subject: subjectIdSchema, role: adminRoleSchema }),
  output: outputSchema,
  api: { method: 'PUT', path: '/administrators/{subject}' },
  run: async (ports, { subject, role }, { now, entry }) => {
    const found = await ports.administrators.find(subject)
    if (found === null) return notFound
    const change = {
      writes: [
        { kind: 'put_administrator', subject, role },
        ...(await ownInvitations(ports, subject, now, role)),
      ],
      roles: [{ subject, role: found.role }],
      audit: [entry({ kind: 'administrator', id: subject, before: { role: found.role }, after: { role } })],
    } as const
    return commit(ports, change, { now, value: { subject, role } })
  },
})

export const removeAdministrator = defineUseCase({
  name: 'administrators.remove',
  permission: 'administrators:delete',
  summary: 'Removes an administrator. The account itself stays.',
  done: 'Administrator removed. The account stays.',
  isSensitive: true,
  input: z.object({ subject: subjectIdSchema }),
  output: outputSchema,
  api: { method: 'DELETE', path: '/administrators/{subject}' },
  run: async (ports, { subject }, { now, entry }) => {
    const found = await ports.administrators.find(subject)
    if (found === null) return notFound
    const change = {
      writes: [{ kind: 'remove_administrator', subject }, ...(await ownInvitations(ports, subject, now))],
      roles: [{ subject, role: found.role }],
      audit: [entry({ kind: 'administrator', id: subject, before: { role: found.role }, after: null })],
    } as const
    return commit(ports, change, { now, value: { subject, role: null } })
  },
})

/**
 * Returns the writes that remove the invitations of an admin, which must not outlive the right to invite (AD-03). Returns none if
 * the new role is `owner`.
 */
async function ownInvitations(
  { adminInvitations }: AdminPorts,
  subject: SubjectId,
  now: Date,
  role: AdminRole | null = null,
): Promise<readonly AdminWrite[]> {
  if (role === 'owner') return []
  const open = await adminInvitations.all(now)
  const own = open.filter(({ createdBy }) => createdBy === subject)
  return own.map(({ digest }) => ({ kind: 'remove_invitation', digest }))
}

export const inviteAdministrator = defineUseCase({
  name: 'administrators.invite',
  permission: 'administrators:invite',
  summary: 'Creates a single-use link to become an administrator. Only this response contains it.',
  done: 'Invitation created.',
  isSensitive: true,
  isShownOnce: true,
  input: z.object({ role: adminRoleSchema }),
  output: z.object({ id: z.string(), role: adminRoleSchema, expires_at: z.string(), link: z.string() }),
  api: { method: 'POST', path: '/administrators/invitations', status: 201 },
  run: async (ports, { role }, { actor, now, entry }) => {
    const wanted = { role, createdBy: actor.subject, lifetimeSeconds: limits.invitationSeconds }
    const { handle, invitation } = newInvitation(ports, wanted)
    const id = invitationId(invitation.digest)
    const facts = invitationFacts(invitation)
    const change = {
      writes: [{ kind: 'put_invitation', invitation }],
      audit: [entry({ kind: 'invitation', id, before: null, after: facts })],
    } as const
    const link = setUpLink(ports.settings.issuer, handle)
    return commit(ports, change, { now, value: { id, ...facts, link } })
  },
})

export const withdrawInvitation = defineUseCase({
  name: 'administrators.withdraw_invitation',
  permission: 'administrators:invite',
  summary: 'Revokes an unused invitation.',
  done: 'Invitation revoked. Its link is invalid.',
  input: z.object({ id: z.string().min(1).max(100) }),
  output: z.object({ id: z.string() }),
  api: { method: 'DELETE', path: '/administrators/invitations/{id}' },
  run: async (ports, { id }, { now, entry }) => {
    const open = await ports.adminInvitations.all(now)
    const invitation = open.find(({ digest }) => invitationId(digest) === id)
    if (invitation === undefined) return notFound
    const change = {
      writes: [{ kind: 'remove_invitation', digest: invitation.digest }],
      audit: [entry({ kind: 'invitation', id, before: invitationFacts(invitation), after: null })],
    } as const
    return commit(ports, change, { now, value: { id } })
  },
})

export const administratorUseCases: readonly UseCase[] = [
  listAdministrators,
  inviteAdministrator,
  withdrawInvitation,
  setRole,
  addClient,
  removeAdministrator,
]
