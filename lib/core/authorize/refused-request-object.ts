/** Where the refusal of a request object goes: the object may say where the client expects the answer. */

import type { JsonValue } from '#lib/protocol/claims.ts'
import { parseStrictJson } from '#lib/protocol/text/json-text.ts'
import type { AuthorizeParameters } from '#lib/protocol/wire/authorize-params.ts'
import { isTooLong } from '#lib/protocol/wire/parameters.ts'

/** What describes the way back, and nothing of what is requested. */
const wayBack = ['redirect_uri', 'response_mode', 'state'] as const

/**
 * The parameters with those of an unsigned request object (`alg: none`) that describe the way back, which take precedence
 * (OpenID Connect Core 6.1). The request itself is refused: request objects are not supported. The values are trusted as
 * little as those of the query; they pass the same checks. An object that cannot be read changes nothing.
 */
export function withWayBackOfRequestObject(raw: AuthorizeParameters): AuthorizeParameters {
  const [header, payload, signature, ...rest] = raw.request?.split('.') ?? []
  if (header === undefined || payload === undefined || signature !== '' || rest.length > 0) return raw
  if (readObject(header)?.alg !== 'none') return raw
  const claims = readObject(payload) ?? {}
  const found = wayBack.flatMap(name => {
    const value = Object.hasOwn(claims, name) ? claims[name] : undefined
    return typeof value === 'string' && isUsable(name, value) ? [[name, value] as const] : []
  })
  return { ...raw, ...Object.fromEntries(found) }
}

/** As a query's parameters are: not empty, without NUL, valid Unicode, and in its length. */
function isUsable(name: string, value: string): boolean {
  return value !== '' && !isTooLong(name, value) && !value.includes('\0') && value.isWellFormed()
}

function readObject(encoded: string): Readonly<Record<string, JsonValue>> | null {
  if (!/^[A-Za-z0-9_-]+$/.test(encoded)) return null
  try {
    const parsed = parseStrictJson(Buffer.from(encoded, 'base64url').toString())
    const value = 'value' in parsed ? parsed.value : null
    return isObject(value) ? value : null
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}

function isObject(value: JsonValue): value is Readonly<Record<string, JsonValue>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
