/** What an admin may write of a person: an allow-list (AD-02). Role, subject and password have use cases of their own. */
import { z } from 'zod'
import type { JsonValue } from '#lib/protocol/claims.ts'
import { isRecord } from '#lib/protocol/metadata-fields.ts'
import { parseStrictJson } from '#lib/protocol/strict-json.ts'
import { userRecordSchema } from '#lib/protocol/user-record.ts'
import type { FormFields } from '../use-case.ts'

const { username, claims } = userRecordSchema.shape

export const usernameSchema = username
export const claimsSchema = claims

/** The claims that have a field of their own on the form, in its order. */
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

/** A field that is not JSON comes back as text, which the schema then refuses at the field. */
export function claimsFromForm(fields: FormFields): unknown {
  const more = otherClaims(fields.claims?.at(-1) ?? '')
  if (typeof more === 'string') return more
  const given = profileClaims.map(name => [name, profileClaim(name, fields[name]?.at(-1))] as const)
  return { ...more, ...Object.fromEntries(given.filter(([, value]) => value !== null)) }
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
