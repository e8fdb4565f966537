/** Other roles for those who are administrators, and the end of them. */
import { z } from 'zod'
import type { AdminWrite } from '#lib/ports/admin-store.ts'
import { type AdminRole, adminRoleSchema } from '#lib/protocol/admin-role.ts'
import { type SubjectId, subjectIdSchema } from '#lib/protocol/ids.ts'
import type { AdminPorts } from '../admin-ports.ts'
import { notFound } from '../admin-result.ts'
import { commit } from '../run-use-case.ts'
import { defineUseCase } from '../use-case.ts'

const outputSchema = z.object({ subject: z.string(), role: adminRoleSchema.nullable() })

export const setRole = defineUseCase({
  name: 'administrators.set_role',
  permission: 'administrators:update',
  summary: 'Gives an administrator another role. What they may do changes with their next click.',
  done: 'Role changed. It counts from their next click.',
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
  summary: 'Takes all rights to administer away. The account itself stays.',
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

/** Invitations must not outlive the right of their creator to invite (AD-03). */
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
