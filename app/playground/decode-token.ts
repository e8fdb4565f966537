/** What is written in a token. Reading is not checking: an app verifies the signature first. */
import { z } from 'zod'
import type { JsonValue } from '#lib/protocol/claims.ts'

export type DecodedToken = { readonly header: JsonValue; readonly claims: JsonValue }

const partSchema = z.record(z.string(), z.json())

/** `null` for an opaque token, such as a reference token. */
export function decodeToken(token: string): DecodedToken | null {
  const [header, claims, signature, ...more] = token.split('.')
  if (header === undefined || claims === undefined || signature === undefined || more.length > 0) return null
  const decoded = { header: decodePart(header), claims: decodePart(claims) }
  return decoded.header === null || decoded.claims === null ? null : decoded
}

/** One claim, where it is text. */
export function textOf(claims: JsonValue, name: string): string | null {
  const read = partSchema.safeParse(claims)
  const value = read.success ? read.data[name] : undefined
  return typeof value === 'string' ? value : null
}

function decodePart(part: string): JsonValue {
  try {
    const parsed = partSchema.safeParse(JSON.parse(Buffer.from(part, 'base64url').toString()))
    return parsed.success ? parsed.data : null
  } catch {
    return null
  }
}
