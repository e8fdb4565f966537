/** Verifies tokens that this server signed: keys come from the key ring only. */
import { hash } from 'node:crypto'
import { verifiedTokens } from '#lib/config/limits.ts'
import type { TokenKind } from '#lib/ports/signing-keys.ts'
import type { Claims, JsonValue } from '#lib/protocol/claims.ts'
import { parseStrictJson } from '#lib/protocol/text/json-text.ts'
import { parameterLimit } from '#lib/protocol/wire/parameters.ts'
import type { SigningKey } from '../keys/signing-key.ts'
import { createRecentlyUsed } from '../recently-used.ts'
import { isSignatureValid } from './signature.ts'

/** Returns the published key whose tokens of this kind have exactly this header; `null` if there is none. */
type FindKey = (header: string, kind: TokenKind) => Promise<SigningKey | null>

/** The content of a token with a valid signature. Issuer and times are not checked yet. */
export type SignedContent = { readonly key: SigningKey; readonly claims: Claims }

/** The longest token: an ID token in a sign-out. A longer one is refused before anything is decoded (JW-12). */
const longestJws = parameterLimit('id_token_hint')

/**
 * Creates the function that returns the content of a token of this kind that a published key signed; `null` for
 * everything else. The header must be the one that this server writes for the key and the kind, character for character:
 * `alg`, `typ`, `crit` and embedded keys leave nothing to decide, and no header is parsed (RFC 8725 3.1, 3.10, 3.11).
 * APIs ask about the same token repeatedly, and verifying a signature is expensive, so verified tokens are remembered by
 * their digest.
 */
export function createJwsReader(
  findKey: FindKey,
): (jwt: string, kind: TokenKind) => Promise<SignedContent | null> {
  const known = createRecentlyUsed<SignedContent>(verifiedTokens)
  return async (jwt, kind) => {
    if (jwt.length > longestJws) return null
    const [header = '', payload, signature, more] = jwt.split('.', 4)
    if (payload === undefined || signature === undefined || more !== undefined) return null
    const key = await findKey(header, kind)
    if (key === null) return null
    const digest = hash('sha256', jwt, 'base64url')
    const found = known.find(digest)
    if (found?.key === key) return found
    const claims = verifiedClaims(key, { header, payload, signature })
    if (claims === null) return null
    const content = { key, claims }
    known.put(digest, content)
    return content
  }
}

type Jws = { readonly header: string; readonly payload: string; readonly signature: string }

function verifiedClaims(
  { publicKey, stored }: SigningKey,
  { header, payload, signature }: Jws,
): Claims | null {
  const job = { algorithm: stored.algorithm, key: publicKey, input: `${header}.${payload}` }
  return isSignatureValid(job, signature) ? strictObject(Buffer.from(payload, 'base64url')) : null
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Parses a JSON object; `null` unless it is exactly one, without repeated keys (JW-12). */
function strictObject(bytes: Uint8Array): Claims | null {
  try {
    const text = utf8.decode(bytes)
    const value: JsonValue = JSON.parse(text)
    // JSON.parse keeps one of two equal keys, so a text that JSON.stringify reproduces has no repeated key; the strict
    // parser takes longer
    const isStrict = JSON.stringify(value) === text || 'value' in parseStrictJson(text)
    return isStrict && isObject(value) ? value : null
  } catch (error) {
    // SyntaxError: not JSON. TypeError: not UTF-8.
    if (error instanceof SyntaxError || error instanceof TypeError) return null
    throw error
  }
}

function isObject(value: JsonValue): value is Claims {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
