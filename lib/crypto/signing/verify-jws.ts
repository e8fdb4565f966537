/** Verifies tokens that this server signed. jose parses and verifies them; the keys come from the key ring only. */

import { type CompactJWSHeaderParameters, compactVerify, errors } from 'jose'
import type { TokenKind } from '#lib/ports/signing-keys.ts'
import type { Claims, JsonValue } from '#lib/protocol/claims.ts'
import { parseStrictJson } from '#lib/protocol/text/json-text.ts'
import { signingAlgorithms } from '#lib/protocol/vocabulary.ts'
import { parameterLimit } from '#lib/protocol/wire/parameters.ts'
import type { SigningKey } from '../keys/signing-key.ts'

/** A longer token is refused before anything is decoded (JW-12). */
export const longestJws = parameterLimit('token')

/** A published key by its `kid`; `null` otherwise. */
type FindKey = (kid: string) => Promise<SigningKey | null>

/** The content of a token with a valid signature. Issuer and times are not checked yet. */
export type SignedContent = { readonly key: SigningKey; readonly kind: TokenKind; readonly claims: Claims }

const algorithms = [...signingAlgorithms]

/**
 * `null` unless one of our published keys signed the token as this kind of token, with the key's own algorithm
 * (RFC 8725 3.1, 3.10, 3.11).
 */
export async function verifyJws(
  jwt: string,
  kind: TokenKind,
  findKey: FindKey,
): Promise<SignedContent | null> {
  if (!hasOneSpelling(jwt)) return null
  try {
    const { payload, protectedHeader } = await compactVerify(
      jwt,
      async header => (await requireKey(header, kind, findKey)).publicKey,
      { algorithms },
    )
    const key = await requireKey(protectedHeader, kind, findKey)
    const claims = strictObject(payload)
    return claims === null || !hasStrictHeader(jwt) ? null : { key, kind, claims }
  } catch (error) {
    if (error instanceof errors.JOSEError) return null
    throw error
  }
}

/**
 * The key that the header names, if it may have signed this kind of token. Embedded and remote keys are ignored;
 * extensions are refused (RFC 7515 4.1.11).
 */
async function requireKey(
  header: CompactJWSHeaderParameters,
  kind: TokenKind,
  findKey: FindKey,
): Promise<SigningKey> {
  const { kid, typ, alg } = header
  const key =
    typeof kid === 'string' && isTokenType(typ, kind) && !('crit' in header) ? await findKey(kid) : null
  if (key === null || key.stored.algorithm !== alg) throw new errors.JWKSNoMatchingKey()
  return key
}

/** RFC 7515 4.1.9: a media type, compared without regard to case; `application/` may be left out. */
function isTokenType(typ: unknown, kind: TokenKind): boolean {
  return typeof typ === 'string' && typ.toLowerCase().replace(/^application\//, '') === kind.toLowerCase()
}

/** JW-12: base64url without padding, and the unused bits of the signature's last character are zero. */
function hasOneSpelling(jwt: string): boolean {
  const [, signature] = /^[\w-]+\.[\w-]+\.([\w-]+)$/.exec(jwt) ?? []
  return signature !== undefined && Buffer.from(signature, 'base64url').toString('base64url') === signature
}

function hasStrictHeader(jwt: string): boolean {
  return strictObject(Buffer.from(jwt.slice(0, jwt.indexOf('.')), 'base64url')) !== null
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** `null` unless it is one JSON object without repeated keys (JW-12). */
function strictObject(bytes: Uint8Array): Claims | null {
  try {
    const parsed = parseStrictJson(utf8.decode(bytes))
    return 'value' in parsed && isObject(parsed.value) ? parsed.value : null
  } catch (error) {
    // SyntaxError: not JSON. TypeError: not UTF-8.
    if (error instanceof SyntaxError || error instanceof TypeError) return null
    throw error
  }
}

function isObject(value: JsonValue): value is Claims {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
