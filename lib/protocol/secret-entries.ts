/** Secrets as an operator writes them, for clients and scopes alike. */
import { z } from 'zod'
import { secretList } from '#lib/config/limits.ts'
import { strictFields } from './metadata-fields.ts'

/** A secret and, if it is to end, when. */
export type SecretEntry = { readonly value: string; readonly expiresAt: Date | null }

export const secretValueSchema = z
  .string()
  .min(8, 'must have at least 8 characters; better generate one with 256 random bits')
  .max(256)
  .refine(text => text.isWellFormed(), 'must be valid Unicode')
  .describe(
    'Stored as a hash. `lks_` and 43 random base64url characters are recognised as generated and cost no password hash.',
  )

/** A string, or an object with an expiry, so that two can be valid while one replaces the other. */
export const secretListSchema = z
  .array(
    z.union([
      secretValueSchema,
      strictFields('secret field', {
        value: secretValueSchema,
        expires_at: z.iso
          .datetime({ offset: true, error: 'must be a time with its zone, such as "2027-01-01T00:00:00Z"' })
          .nullable()
          .default(null)
          .describe('ISO 8601 time with its zone; null: never.'),
      }),
    ]),
  )
  .max(secretList.most)
  .default([])

export function secretEntries(list: z.output<typeof secretListSchema>): readonly SecretEntry[] {
  return list.map(entry =>
    typeof entry === 'string'
      ? { value: entry, expiresAt: null }
      : { value: entry.value, expiresAt: entry.expires_at === null ? null : new Date(entry.expires_at) },
  )
}
