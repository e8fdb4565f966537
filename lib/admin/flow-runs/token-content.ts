/** Reads the content of a token without verifying it, to show or compare it. Apps must verify the signature first. */
import { z } from 'zod'
import { type JsonValue, jsonValueSchema } from '#lib/protocol/claims.ts'

const partSchema = z.record(z.string(), jsonValueSchema)
type Part = z.infer<typeof partSchema>

/** The content of a token. `header` is `null` for the claims of a reference token or of userinfo. */
export type TokenContent = { readonly header: Part | null; readonly claims: Part }

/** Decodes a JWT of three parts. Returns `null` for any other token, such as a reference token. */
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

/** The value of a claim in a token; `null` if the token is not a JWT, or the claim is absent or not a string. */
export function claimOf(token: string, name: string): string | null {
  return textIn(readToken(token)?.claims ?? null, name)
}

/** The value of a member of a JSON object; `null` if `value` is not an object, or the member is absent or not a string. */
export function textIn(value: JsonValue, name: string): string | null {
  const object = partSchema.safeParse(value)
  const member = object.success ? object.data[name] : null
  return typeof member === 'string' ? member : null
}
