/** Reads the administrators and the open invitations. */
import { z } from 'zod'
import { findRegistration } from '#lib/ports/clients.ts'
import { adminRoleSchema } from '#lib/protocol/admin-role.ts'
import type { SubjectId } from '#lib/protocol/ids.ts'
import { invitationId } from '../access/invitations.ts'
import type { AdminPorts } from '../admin-ports.ts'
import { ok } from '../admin-result.ts'
import { defineUseCase } from '../use-case.ts'
import { viewOf } from '../view.ts'

const administratorSchema = z.object({
  subject: z.string(),
  kind: z.enum(['user', 'client']),
  name: z.string(),
  /** The user name; `null` for a client and for a user of a custom user service. */
  username: z.string().nullable(),
  role: adminRoleSchema,
  created_at: z.string(),
  last_seen_at: z.string().nullable(),
})

const invitationSchema = z.object({
  id: z.string(),
  role: adminRoleSchema,
  /** The name of the owner who invited; `null` for the operator. */
  invited_by: z.string().nullable(),
  created_at: z.string(),
  expires_at: z.string(),
})

export const listAdministrators = defineUseCase({
  name: 'administrators.list',
  permission: 'administrators:read',
  summary: 'Lists the administrators, owners first, and the unused invitations.',
  input: z.object({}),
  output: z.object({
    administrators: z.array(administratorSchema),
    invitations: z.array(invitationSchema),
  }),
  api: { method: 'GET', path: '/administrators' },
  run: async (ports, _input, { now }) => {
    const [all, open] = await Promise.all([ports.administrators.all(), ports.adminInvitations.all(now)])
    const hosts = open.flatMap(({ createdBy }) => (createdBy === null ? [] : [createdBy]))
    const identityOf = await identitiesOf(ports, [...all.map(({ subject }) => subject), ...hosts])
    return ok({
      administrators: all.map(one => viewOf(administratorSchema, one, identityOf(one.subject))),
      invitations: open.map(one =>
        viewOf(invitationSchema, one, {
          id: invitationId(one.digest),
          invited_by: one.createdBy === null ? null : identityOf(one.createdBy).name,
        }),
      ),
    })
  },
})

type Identity = Pick<z.output<typeof administratorSchema>, 'kind' | 'name' | 'username'>

/** A subject that is neither a stored user nor a client, such as a user of a custom user service, is named by its ID. */
async function identitiesOf(
  ports: Pick<AdminPorts, 'adminLists' | 'clients'>,
  subjects: readonly SubjectId[],
): Promise<(subject: SubjectId) => Identity> {
  const names = await ports.adminLists.namesOf(subjects)
  const clients = await Promise.all(subjects.map(subject => findRegistration(ports, subject)))
  return subject => {
    const client = clients[subjects.indexOf(subject)]?.client
    if (client !== undefined) return { kind: 'client', name: client.clientName, username: null }
    const found = names.get(subject)
    const username = found?.username ?? null
    return { kind: 'user', name: found?.name ?? username ?? subject, username }
  }
}
