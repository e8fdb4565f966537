import type { SecretDates } from '#lib/ports/admin-lists.ts'

/** All there is to show of a secret. */
export function secretDates({ id, name, createdAt, expiresAt, lastUsedAt }: SecretDates): SecretDates {
  return { id, name, createdAt, expiresAt, lastUsedAt }
}
