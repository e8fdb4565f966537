/** The content of a token. Reading is not checking: an app verifies the signature first. */
import { z } from 'zod'
import { type JsonValue, jsonValueSchema } from '#lib/protocol/claims.ts'

const partSchema = z.record(z.string(), jsonValueSchema)
type Part = z.infer<typeof partSchema>

/** `header` is null for claims that come without one: those of a reference token or of userinfo. */
export type TokenContent = { readonly header: Part | null; readonly claims: Part }

/** `null` for an opaque token, such as a reference token. */
export function readToken(token: string): TokenContent | null {
  const [header, claims, signature, ...more] = token.split('.').map(readPart)
  if (header == null || claims == null || signature === undefined || more.length > 0) return null
  return { header, claims }
}

function readPart(part: string): Part | null {
  try {
    const parsed = partSchema.safeParse(JSON.parse(Buffer.from(part, 'base64url').toString()))
    return parsed.success ? parsed.data : null
  } catch {
    return null
  }
}

/** A claim of a token; `null` if it is not a string. */
export function claimOf(token: string, name: string): string | null {
  return textIn(readToken(token)?.claims ?? null, name)
}

/** A member of a JSON object; `null` if it is not a string. */
export function textIn(value: JsonValue, name: string): string | null {
  const object = partSchema.safeParse(value)
  const member = object.success ? object.data[name] : null
  return typeof member === 'string' ? member : null
}
