/** Making a secret that is shown once, and what admins say about it. */
import { z } from 'zod'
import { secretList } from '#lib/config/limits.ts'
import type { StoredSecret } from '#lib/ports/clients.ts'
import { displayTextSchema } from '#lib/protocol/registration/fields.ts'
import { secondsAfter } from '#lib/protocol/time.ts'
import type { AdminPorts } from '../admin-ports.ts'
import { type AdminResult, type FieldError, invalid, notFound } from '../admin-result.ts'
import { errorFor } from '../field-errors.ts'
import type { SecretListChange } from './secret-list.ts'

const daySeconds = 86_400
const dateSchema = z.iso.date()
const timeSchema = z.iso.datetime({
  offset: true,
  error: 'must be a day, such as "2027-01-31", or a time with its zone',
})

/** When a secret ends: a time, or a day, which is then its last one (UTC). Left out or empty: never. */
export const secretEndSchema = z
  .union([z.literal(''), dateSchema, timeSchema], {
    error: 'must be a day, such as "2027-01-31", or a time with its zone',
  })
  .nullable()
  .default(null)
  .transform(endOf)

export const secretNameSchema = displayTextSchema(100)
export const overlapHoursSchema = z.coerce.number().int().min(0).max(secretList.longestOverlapHours)

/** What an admin reads once. */
export const issuedSecretSchema = z.object({
  id: z.string(),
  name: z.string().nullable(),
  secret: z.string(),
  expires_at: z.string().nullable(),
})

export type IssuedSecret = z.infer<typeof issuedSecretSchema>
type Wanted = { readonly name: string | null; readonly expiresAt: Date | null }

/** A generated secret: its text, and what to store of it. */
export async function newSecret(
  { secretKeeper, random }: Pick<AdminPorts, 'secretKeeper' | 'random'>,
  { name, expiresAt }: Wanted,
): Promise<{ readonly issued: IssuedSecret; readonly stored: StoredSecret }> {
  const secret = secretKeeper.generate()
  const [digest = ''] = await secretKeeper.digests([secret], [])
  const id = random.id()
  return {
    issued: { id, name, secret, expires_at: expiresAt?.toISOString() ?? null },
    stored: { id, name, digest, expiresAt },
  }
}

/** `null` when the end lies ahead. */
export function pastEnd(expiresAt: Date | null, now: Date): AdminResult<never> | null {
  const errors = endErrors(expiresAt, now)
  return errors.length === 0 ? null : { kind: 'invalid', errors }
}

/** The same together with other invalid fields. */
export async function validateEnd(_ports: unknown, raw: unknown, now: Date): Promise<readonly FieldError[]> {
  const read = z.object({ expires_at: secretEndSchema }).safeParse(raw)
  return read.success ? endErrors(read.data.expires_at, now) : []
}

function endErrors(expiresAt: Date | null, now: Date): readonly FieldError[] {
  const isPast = expiresAt !== null && expiresAt <= now
  return errorFor('expires_at', isPast ? 'Must be in the future.' : null)
}

/** Why the list of secrets stays as it is, in the words of a use case. */
export function secretRefusal(kind: Exclude<SecretListChange['kind'], 'changed'>): AdminResult<never> {
  if (kind === 'unknown') return notFound
  return invalid('', `There are ${secretList.most} secrets already. Remove an unused one.`)
}

function endOf(given: string | null): Date | null {
  if (given === null || given === '') return null
  return dateSchema.safeParse(given).success ? secondsAfter(new Date(given), daySeconds) : new Date(given)
}
