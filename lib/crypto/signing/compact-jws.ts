/** Reading of compact JWS: strict in form, before anything in it is believed. */
import { parameterLengths } from '#lib/config/limits.ts'
import type { JsonValue } from '#lib/protocol/claims.ts'
import { parseStrictJson } from '#lib/protocol/strict-json.ts'

export type JsonObject = { readonly [name: string]: JsonValue }

export type CompactJws = {
  readonly header: JsonObject
  /** What was signed. */
  readonly signingInput: string
  readonly signature: Buffer
  /** Read only after the signature was verified. */
  readonly payload: () => JsonObject | null
}

/** A longer one is refused before anything is done with it. */
export const longestJws = parameterLengths.token ?? 51_200
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** `null` unless it is three canonical base64url parts within the size limit and the header is one JSON object (JW-12). */
export function parseCompactJws(text: string): CompactJws | null {
  if (text.length > longestJws || !/^[\w-]+\.[\w-]+\.[\w-]+$/.test(text)) return null
  const [headerPart = '', payloadPart = '', signaturePart = ''] = text.split('.')
  const header = decodeObject(headerPart)
  const signature = decodePart(signaturePart)
  if (header === null || signature === null) return null
  return {
    header,
    signature,
    signingInput: `${headerPart}.${payloadPart}`,
    payload: () => decodeObject(payloadPart),
  }
}

export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function decodeObject(part: string): JsonObject | null {
  const bytes = decodePart(part)
  if (bytes === null) return null
  try {
    const parsed = parseStrictJson(utf8.decode(bytes))
    return 'value' in parsed && isJsonObject(parsed.value) ? parsed.value : null
  } catch (error) {
    // SyntaxError: not JSON. TypeError: not UTF-8.
    if (error instanceof SyntaxError || error instanceof TypeError) return null
    throw error
  }
}

/** The spare bits of the last character must be zero: one token, one text. */
function decodePart(part: string): Buffer | null {
  const bytes = Buffer.from(part, 'base64url')
  return bytes.toString('base64url') === part ? bytes : null
}
