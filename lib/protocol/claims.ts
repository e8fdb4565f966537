/** Claims: named JSON values about a subject or a client. */

import { z } from 'zod'
import { claimLimits } from '#lib/config/limits.ts'

export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [name: string]: JsonValue }
export type Claims = Readonly<Record<string, JsonValue>>

/**
 * Returns why these claims are too many or too long for a token, as the end of a sentence; `null` when they fit. Sizes
 * are those of the JSON in UTF-8.
 */
export function claimsProblem(claims: Claims, mostBytes: number): string | null {
  const count = Object.keys(claims).length
  if (count > claimLimits.most) return `has ${count} claims, and may have at most ${claimLimits.most}`
  const bytes = Buffer.byteLength(JSON.stringify(claims))
  if (bytes <= mostBytes) return null
  return `is ${bytes} bytes of JSON, and may be at most ${mostBytes}, so that tokens fit into a request header`
}

/** Names that describe the token itself. Profile data and extensions can never set them. */
export const reservedClaims: ReadonlySet<string> = new Set([
  'iss',
  'sub',
  'aud',
  'exp',
  'nbf',
  'iat',
  'jti',
  'grant_id',
  'client_id',
  'scope',
  'nonce',
  'auth_time',
  'acr',
  'amr',
  'azp',
  'idp',
  'sid',
  'at_hash',
  'c_hash',
  's_hash',
  'cnf',
  'active',
  'token_type',
])

/** Claims about a user that can have several values. */
const listClaims = ['role', 'groups']

/** Writes the claims that can have several values in one form, whether one value or a list was stored. */
export function withListClaims(claims: Claims, form: (values: readonly JsonValue[]) => JsonValue): Claims {
  const lists = listClaims.flatMap(name => {
    const value = claims[name] ?? null
    return value === null ? [] : [[name, form(Array.isArray(value) ? value : [value])] as const]
  })
  return lists.length === 0 ? claims : { ...claims, ...Object.fromEntries(lists) }
}

export const jsonValueSchema: z.ZodType<JsonValue> = z.json()

/** JW-15: removes the claims that describe the token itself. */
export function withoutReserved(claims: Claims): Claims {
  return Object.fromEntries(Object.entries(claims).filter(([name]) => !reservedClaims.has(name)))
}
