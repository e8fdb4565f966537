/** How a user is found, stored and shown to admins: never with a password. */
import { z } from 'zod'
import type { AdminLists } from '#lib/ports/admin-lists.ts'
import type { StoredUser as UserRow } from '#lib/ports/users.ts'
import { jsonValueSchema } from '#lib/protocol/claims.ts'
import { type SubjectId, subjectIdSchema } from '#lib/protocol/ids.ts'
import { mayTouchAccount } from '../access/permissions.ts'
import type { AdminPorts } from '../admin-ports.ts'
import { type AdminResult, denied, ok } from '../admin-result.ts'
import { userDocument } from '../configuration/export-configuration.ts'
import type { Resource } from '../resource/resource.ts'
import type { AdminCall } from '../use-case.ts'
import { profileErrors } from './user-form.ts'

export const userViewSchema = z.object({
  sub: z.string(),
  username: z.string(),
  enabled: z.boolean(),
  has_password: z.boolean(),
  must_change_password: z.boolean(),
  claims: z.record(z.string(), jsonValueSchema),
  linked: z.array(
    z.object({ scheme: z.string(), issuer: z.string(), sub: z.string(), created_at: z.string() }),
  ),
  version: z.number(),
  created_at: z.string(),
  updated_at: z.string(),
  last_sign_in_at: z.string().nullable(),
})

export type UserView = z.infer<typeof userViewSchema>
export type StoredUser = NonNullable<Awaited<ReturnType<AdminLists['user']>>>

/** The stored user in the format of the API. */
export function userView(stored: StoredUser): UserView {
  return {
    sub: stored.subject,
    username: stored.username,
    enabled: stored.enabled,
    has_password: stored.passwordHash !== null,
    must_change_password: stored.passwordHash !== null && stored.mustChangePassword,
    claims: { ...stored.claims },
    linked: stored.linked.map(({ scheme, issuer, subject, createdAt }) => ({
      scheme,
      issuer,
      sub: subject,
      created_at: createdAt.toISOString(),
    })),
    version: stored.version,
    created_at: stored.createdAt.toISOString(),
    updated_at: stored.updatedAt.toISOString(),
    last_sign_in_at: stored.lastSignInAt?.toISOString() ?? null,
  }
}

type UserTypes = {
  readonly field: 'sub'
  readonly id: SubjectId
  readonly row: UserRow
  readonly extra: Pick<StoredUser, 'linked' | 'lastSignInAt'>
  readonly view: UserView
}

/** Another password, or disabling the account, ends the user's sessions and grants. */
export const users: Resource<UserTypes> = {
  kind: 'user',
  area: 'users',
  idField: 'sub',
  idSchema: subjectIdSchema,
  readId: given => subjectIdSchema.parse(given),
  idOf: ({ subject }) => subject,
  find: ({ adminLists }, subject) => adminLists.user(subject),
  view: (_ports, stored) => userView(stored),
  viewSchema: userViewSchema,
  audited: (row, before) => ({
    ...userDocument(row),
    ...(before !== null && before.passwordHash !== row.passwordHash ? { password: 'reset' } : {}),
  }),
  // LG-07: the audit trail is kept permanently; of a deleted user it keeps only the name
  auditedAtDeletion: ({ username }) => ({ username }),
  current: stored => ({ ...userDocument(stored), version: stored.version }),
  refusal: (ports, { subject }, call) => refusalToTouch(ports, subject, call),
  check: async (_ports, { row, before }) => {
    const errors = profileErrors(row.claims, before?.claims ?? {})
    return errors.length > 0 ? { kind: 'invalid', errors } : ok(row)
  },
  put: ({ subject, username, passwordHash, mustChangePassword, enabled, claims }, expectedVersion) => ({
    kind: 'put',
    of: 'user',
    record: { subject, username, passwordHash, mustChangePassword, enabled, claims },
    expectedVersion,
  }),
  remove: (id, expectedVersion) => ({ kind: 'remove', of: 'user', id, expectedVersion }),
  withEnabled: (row, enabled) => ({ ...row, enabled }),
}

/** AD-03: only owners may change the account of an administrator, which they could otherwise take over. */
export async function refusalToTouch(
  ports: Pick<AdminPorts, 'administrators'>,
  subject: SubjectId,
  { actor }: Pick<AdminCall, 'actor'>,
): Promise<AdminResult<never> | null> {
  const administrator = await ports.administrators.find(subject)
  if (mayTouchAccount(actor.role, administrator?.role ?? null)) return null
  return denied('This user is an administrator: only owners may change their account.')
}
