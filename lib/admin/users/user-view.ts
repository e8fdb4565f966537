/** A person as admins read and write them. What proves who they are is never part of it. */
import { z } from 'zod'
import type { AdminLists } from '#lib/ports/admin-lists.ts'
import { jsonValueSchema } from '#lib/protocol/claims.ts'

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
})

export type UserView = z.infer<typeof userViewSchema>
export type StoredPerson = NonNullable<Awaited<ReturnType<AdminLists['user']>>>

/** The stored person as the API answers them. */
export function userView(stored: StoredPerson): UserView {
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
  }
}
