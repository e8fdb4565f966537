/** The fields of a user that an admin can change (AD-02). Role, subject and password have separate use cases. */
import { z } from 'zod'
import type { JsonValue } from '#lib/protocol/claims.ts'
import { isRecord } from '#lib/protocol/registration/fields.ts'
import { userRecordSchema } from '#lib/protocol/registration/records.ts'
import { parseStrictJson } from '#lib/protocol/text/json-text.ts'
import type { FormFields } from '../use-case.ts'

const { username, claims } = userRecordSchema.shape

export const usernameSchema = username
export const claimsSchema = claims

/** The claims with a separate field in the form, in its order. */
export const profileClaims = [
  'name',
  'given_name',
  'family_name',
  'nickname',
  'email',
  'email_verified',
  'phone_number',
  'phone_number_verified',
  'website',
  'picture',
  'zoneinfo',
  'locale',
] as const

const booleans: ReadonlySet<string> = new Set(['email_verified', 'phone_number_verified'])

/**
 * Other claims that are not JSON stay a text, which the schema then refuses at their field. `profile` is what can be read
 * all the same.
 */
export function personFromForm(fields: FormFields) {
  const given = profileClaims.map(name => [name, profileClaim(name, fields[name]?.at(-1))] as const)
  const profile = Object.fromEntries(given.filter(([, value]) => value !== null))
  const others = otherClaims(fields.claims?.at(-1) ?? '')
  const claims = typeof others === 'string' ? others : { ...others, ...profile }
  return { username: fields.username?.at(-1), claims, profile }
}

function profileClaim(name: string, value: string | undefined): JsonValue {
  if (value === undefined || value.trim() === '') return null
  return booleans.has(name) ? value === 'true' : value.trim()
}

/** The rest, as JSON, for the form's last field. */
export function otherClaimsText(all: Readonly<Record<string, JsonValue>>): string {
  const rest = Object.entries(all).filter(([name]) => !profileClaims.some(claim => claim === name))
  return rest.length === 0 ? '' : JSON.stringify(Object.fromEntries(rest), null, 2)
}

function otherClaims(text: string): object | string {
  if (text.trim() === '') return {}
  try {
    const parsed = parseStrictJson(text)
    return 'value' in parsed && isRecord(parsed.value) ? parsed.value : text
  } catch (error) {
    if (error instanceof SyntaxError) return text
    throw error
  }
}

export const userInputSchema = z.object({ username: usernameSchema, claims: claimsSchema })
