/** The fields of a user that an admin can change (AD-02). Role, subject and password have separate use cases. */
import { z } from 'zod'
import { type Claims, type JsonValue, jsonValueSchema } from '#lib/protocol/claims.ts'
import { isRecord } from '#lib/protocol/registration/fields.ts'
import { userRecordSchema } from '#lib/protocol/registration/records.ts'
import { standardClaimProblem } from '#lib/protocol/registration/standard-claims.ts'
import { errorFor, type FieldError, lenient } from '../admin-result.ts'
import { jsonOrText } from '../form-texts.ts'
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
 * Other claims that are not JSON stay a text, which the schema then refuses at their field. `profile` contains the claims
 * of the separate fields, which are then still checked.
 */
export function userFromForm(fields: FormFields) {
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

/** The claims without a separate field, as JSON, for the last field of the form. */
export function otherClaimsText(all: Readonly<Record<string, JsonValue>>): string {
  const rest = Object.entries(all).filter(([name]) => !profileClaims.some(claim => claim === name))
  return rest.length === 0 ? '' : JSON.stringify(Object.fromEntries(rest), null, 2)
}

function otherClaims(text: string): object | string {
  const value = text.trim() === '' ? {} : jsonOrText(text)
  return isRecord(value) ? value : text
}

export const userInputSchema = z.object({ username: usernameSchema, claims: claimsSchema })

/**
 * One error for each changed standard claim that is invalid by OpenID Connect Core 5.1. Values of `before` can stay: they
 * come from an identity provider, or from before this rule.
 */
export function profileErrors(claims: Claims, before: Claims): readonly FieldError[] {
  const written = Object.entries(claims).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name]),
  )
  return written.flatMap(([name, value]) => {
    const problem = standardClaimProblem(name, value)
    return errorFor(`claims.${name}`, problem === null ? null : messageFor(name, problem))
  })
}

const readableClaims = z.record(z.string(), jsonValueSchema)

/** The valid fields of invalid input. `profile` comes from forms, in case `claims` is not JSON. */
export const readableUserSchema = z.object({
  username: lenient(usernameSchema),
  claims: lenient(readableClaims),
  profile: readableClaims.catch({}),
})

/** Several claims share the last field of the form, so the message names the claim. */
function messageFor(name: string, problem: string): string {
  return profileClaims.some(claim => claim === name) ? problem : `"${name}" ${problem}`
}
