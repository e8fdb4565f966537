/** Creates and revokes invitations. */
import { z } from 'zod'
import { adminSession as limits } from '#lib/config/limits.ts'
import { adminRoleSchema } from '#lib/protocol/admin-role.ts'
import { invitationFacts, invitationId, newInvitation, setUpLink } from '../access/invitations.ts'
import { notFound } from '../admin-result.ts'
import { commit } from '../run-use-case.ts'
import { defineUseCase } from '../use-case.ts'

export const inviteAdministrator = defineUseCase({
  name: 'administrators.invite',
  permission: 'administrators:invite',
  summary: 'Makes a link with which one person becomes an administrator. The link is answered this once.',
  done: 'Invitation made.',
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
  done: 'Invitation withdrawn. Its link leads nowhere.',
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
