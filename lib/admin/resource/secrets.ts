/** The secrets of a client, or of the API behind a scope: how admins and the audit log see them, and changes of the list. */
import { z } from 'zod'
import { secretList } from '#lib/config/limits.ts'
import type { SecretDates as StoredDates } from '#lib/ports/admin-lists.ts'
import { type StoredSecret, secretForms } from '#lib/ports/clients.ts'
import { type JsonValue, jsonValueSchema } from '#lib/protocol/claims.ts'
import { displayTextSchema, isRecord } from '#lib/protocol/registration/fields.ts'
import { secondsAfter } from '#lib/protocol/time.ts'
import type { AdminPorts } from '../admin-ports.ts'
import { type AdminResult, errorFor, type FieldError, invalid, notFound, ok } from '../admin-result.ts'
import { viewOf } from '../view.ts'

export const secretDatesSchema = z.object({
  id: z.string(),
  name: z.string().nullable(),
  stored_as: z.enum(secretForms),
  created_at: z.string(),
  expires_at: z.string().nullable(),
  last_used_at: z.string().nullable(),
})

export type SecretDates = z.output<typeof secretDatesSchema>

/** The dates of a secret in the format of the API. */
export function secretDates(secret: StoredDates): SecretDates {
  return viewOf(secretDatesSchema, secret, {})
}

type Document = Readonly<Record<string, JsonValue>>

/** The field that an audit row adds to a document for its secrets. No document has a field with this name. */
const field = 'secrets'

/** Adds the IDs, names and ends of secrets to the document in an audit row. */
export function auditedDocument(document: Document, secrets: readonly StoredSecret[]): Document {
  if (secrets.length === 0) return document
  const named = secrets.map(({ id, name = null, expiresAt }) => ({
    id,
    name,
    expires_at: expiresAt?.toISOString() ?? null,
  }))
  return { ...document, [field]: named }
}

/** The document in an audit row, without the secrets; `null` if the row has no document. */
export function documentInAudit(audited: JsonValue | null): Document | null {
  if (!isRecord(audited)) return null
  const { [field]: _, ...document } = z.record(z.string(), jsonValueSchema).parse(audited)
  return document
}

export type SecretList = readonly StoredSecret[]

/** Adds a secret at the end of the list, unless the list is full. */
export function addSecret(secrets: SecretList, added: StoredSecret): AdminResult<SecretList> {
  return secrets.length >= secretList.most
    ? invalid('', `There are ${secretList.most} secrets already. Remove an unused one.`)
    : ok([...secrets, added])
}

type Rotation = {
  /** The ID of the secret to replace. */
  readonly replaced: string
  readonly successor: StoredSecret
  /** The hours during which both secrets are valid. */
  readonly overlapHours: number
}

/** Adds a secret that is valid immediately. The replaced one expires after the overlap, or at its own end if that is earlier. */
export function rotateWithOverlap(
  secrets: SecretList,
  { replaced, successor, overlapHours }: Rotation,
  now: Date,
): AdminResult<SecretList> {
  const rotated = endingAt(secrets, replaced, secondsAfter(now, overlapHours * 3600))
  return rotated.kind === 'ok' ? addSecret(rotated.value, successor) : rotated
}

/** Ends a secret. It stays in the list, so that admins see when it ended. */
export function expireNow(secrets: SecretList, id: string, now: Date): AdminResult<SecretList> {
  return endingAt(secrets, id, now)
}

/** Removes a secret from the list; `not_found` if it is not there. */
export function removeSecret(secrets: SecretList, id: string): AdminResult<SecretList> {
  return secrets.some(secret => secret.id === id) ? ok(secrets.filter(secret => secret.id !== id)) : notFound
}

/** Ends a secret at this time, or at its own end if that is earlier. */
function endingAt(secrets: SecretList, id: string, end: Date): AdminResult<SecretList> {
  if (!secrets.some(secret => secret.id === id)) return notFound
  const earlier = ({ expiresAt }: StoredSecret) => (expiresAt !== null && expiresAt < end ? expiresAt : end)
  return ok(secrets.map(secret => (secret.id === id ? { ...secret, expiresAt: earlier(secret) } : secret)))
}

const daySeconds = 86_400
const dateSchema = z.iso.date()
const timeSchema = z.iso.datetime({
  offset: true,
  error: 'must be a day, such as "2027-01-31", or a time with its zone',
})

/**
 * The end of a secret: a time, or the last day on which it is valid (UTC). An empty or missing one means that it does not end.
 */
export const secretEndSchema = z
  .union([z.literal(''), dateSchema, timeSchema], {
    error: 'must be a day, such as "2027-01-31", or a time with its zone',
  })
  .nullable()
  .default(null)
  .transform(endOf)

export const secretNameSchema = displayTextSchema(secretList.longestName)
export const overlapHoursSchema = z.coerce.number().int().min(0).max(secretList.longestOverlapHours)

/** A new secret, which is shown once. */
export const issuedSecretSchema = z.object({
  id: z.string(),
  name: z.string().nullable(),
  secret: z.string(),
  expires_at: z.string().nullable(),
})

export type IssuedSecret = z.infer<typeof issuedSecretSchema>
type SecretToCreate = { readonly name: string | null; readonly expiresAt: Date | null }

/** Generates a secret, and its digest to store. */
export async function newSecret(
  { secretKeeper, random }: Pick<AdminPorts, 'secretKeeper' | 'random'>,
  { name, expiresAt }: SecretToCreate,
): Promise<{ readonly issued: IssuedSecret; readonly stored: StoredSecret }> {
  const secret = secretKeeper.generate()
  const [digest = ''] = await secretKeeper.digests([secret], [])
  const id = random.id()
  return {
    issued: { id, name, secret, expires_at: expiresAt?.toISOString() ?? null },
    stored: { id, name, digest, expiresAt },
  }
}

/** Refuses an end that is not in the future. */
export function pastEnd(expiresAt: Date | null, now: Date): AdminResult<never> | null {
  const errors = endErrors(expiresAt, now)
  return errors.length === 0 ? null : { kind: 'invalid', errors }
}

/** Refuses an end that is not in the future, also if other fields of the input are invalid. */
export async function validateEnd(_ports: unknown, raw: unknown, now: Date): Promise<readonly FieldError[]> {
  const read = z.object({ expires_at: secretEndSchema }).safeParse(raw)
  return read.success ? endErrors(read.data.expires_at, now) : []
}

function endErrors(expiresAt: Date | null, now: Date): readonly FieldError[] {
  const isPast = expiresAt !== null && expiresAt <= now
  return errorFor('expires_at', isPast ? 'Must be in the future.' : null)
}

function endOf(given: string | null): Date | null {
  if (given === null || given === '') return null
  return dateSchema.safeParse(given).success ? secondsAfter(new Date(given), daySeconds) : new Date(given)
}
