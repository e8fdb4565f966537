/** What admins see of a stored secret: its name and its times, and nothing that opens anything (AD-05). */
import { z } from 'zod'
import type { SecretDates as StoredDates } from '#lib/ports/admin-lists.ts'

export const secretDatesSchema = z.object({
  id: z.string(),
  name: z.string().nullable(),
  created_at: z.string(),
  expires_at: z.string().nullable(),
  last_used_at: z.string().nullable(),
})

export type SecretDates = z.output<typeof secretDatesSchema>

/** As JSON has it. */
export function secretDates({ id, name, createdAt, expiresAt, lastUsedAt }: StoredDates): SecretDates {
  return {
    id,
    name,
    created_at: createdAt.toISOString(),
    expires_at: expiresAt?.toISOString() ?? null,
    last_used_at: lastUsedAt?.toISOString() ?? null,
  }
}
