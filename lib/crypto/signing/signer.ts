/** Signs and verifies our own tokens. Keys come from the ring and from nowhere else. */
import { type KeyObject, sign as signBytes, verify as verifyBytes } from 'node:crypto'
import { promisify } from 'node:util'
import { verifiedTokens } from '#lib/config/limits.ts'
import type { Clock } from '#lib/ports/environment.ts'
import type { PublicJwk, Signer, TokenKind } from '#lib/ports/signer.ts'
import { type SigningAlgorithm, signingAlgorithms } from '#lib/protocol/vocabulary.ts'
import type { SigningKey } from '../keys/signing-key.ts'
import { hasSoundClaims } from './claim-rules.ts'
import { type CompactJws, longestJws, parseCompactJws } from './compact-jws.ts'
import { fromJwsSignature } from './ecdsa-signature.ts'
import { createSigningQueue } from './signing-queue.ts'
import { createVerifiedTokens, type SignedContent } from './verified-tokens.ts'

/** What the signer asks of the key ring. */
export type KeySource = {
  readonly active: (algorithm: SigningAlgorithm) => Promise<SigningKey>
  /** Any key that is still published; `null` otherwise. */
  readonly find: (kid: string) => Promise<SigningKey | null>
  readonly published: () => Promise<readonly PublicJwk[]>
}

const signOnThreadPool = promisify<string, Buffer, KeyObject, Buffer>((hash, input, key, done) =>
  signBytes(hash, input, key, done),
)

export function createSigner(keys: KeySource, { issuer, clock }: { issuer: string; clock: Clock }): Signer {
  const readContent = contentReader(keys)
  const signature = signatures()
  return {
    algorithms: signingAlgorithms,
    publicKeys: keys.published,
    async sign(claims, kind, algorithm) {
      const key = await keys.active(algorithm)
      const signingInput = `${encodedHeader(key, kind)}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}`
      return `${signingInput}.${await signature(key, signingInput)}`
    },
    async verify(jwt, kind, options = {}) {
      const content = await readContent(jwt, kind)
      const ignoreExpiry = options.ignoreExpiry ?? false
      if (content === null || !hasSoundClaims(content.claims, { issuer, now: clock.now(), ignoreExpiry }))
        return null
      return { claims: content.claims, algorithm: content.key.stored.algorithm }
    },
  }
}

type ContentReader = (jwt: string, kind: TokenKind) => Promise<SignedContent | null>

/** What our own, still published key signed as this kind of token. Says nothing about issuer and times. */
function contentReader(keys: KeySource): ContentReader {
  const known = createVerifiedTokens(verifiedTokens)
  return async (jwt, kind) => {
    if (jwt.length > longestJws) return null
    const found = known.find(jwt)
    if (found !== null && found.kind === kind && (await keys.find(found.key.stored.kid)) === found.key)
      return found
    const content = await verifiedContent(jwt, kind, keys)
    if (content !== null) known.remember(jwt, content)
    return content
  }
}

async function verifiedContent(jwt: string, kind: TokenKind, keys: KeySource): Promise<SignedContent | null> {
  const jws = parseCompactJws(jwt)
  const key = jws === null ? null : await keyFor(jws, kind, keys)
  if (jws === null || key === null || !isSignedBy(key, jws)) return null
  const claims = jws.payload()
  return claims === null ? null : { key, kind, claims }
}

const headers = new WeakMap<SigningKey, Map<TokenKind, string>>()

/** Made once per key and kind of token. */
function encodedHeader(key: SigningKey, kind: TokenKind): string {
  const made = headers.get(key) ?? new Map<TokenKind, string>()
  headers.set(key, made)
  const text =
    made.get(kind) ??
    Buffer.from(JSON.stringify({ alg: key.stored.algorithm, typ: kind, kid: key.stored.kid })).toString(
      'base64url',
    )
  made.set(kind, text)
  return text
}

/** RSA takes a millisecond or more and goes to the thread pool, where each signature has a processor of its own. */
function signatures(): (key: SigningKey, input: string) => Promise<string> {
  const quick = createSigningQueue()
  return async (key, input) => {
    const { algorithm } = key.stored
    if (algorithm !== 'RS256') return quick({ algorithm, key: key.privateKey(), input })
    return (await signOnThreadPool('sha256', Buffer.from(input), key.privateKey())).toString('base64url')
  }
}

/**
 * The key the header names, if it may have signed this kind of token with this algorithm (RFC 8725 3.1, 3.10, 3.11).
 * Embedded and remote keys are not even looked at; `crit` names extensions we do not know (RFC 7515 4.1.11).
 */
async function keyFor({ header }: CompactJws, kind: TokenKind, keys: KeySource): Promise<SigningKey | null> {
  if (typeof header.kid !== 'string' || 'crit' in header || !isMediaType(header.typ, kind)) return null
  const key = await keys.find(header.kid)
  return key !== null && key.stored.algorithm === header.alg ? key : null
}

/** RFC 7515 4.1.9: a media type, so without regard to case, and `application/` may be left out. */
function isMediaType(typ: unknown, kind: TokenKind): boolean {
  return typeof typ === 'string' && typ.toLowerCase().replace(/^application\//, '') === kind.toLowerCase()
}

function isSignedBy(key: SigningKey, { signingInput, signature }: CompactJws): boolean {
  const input = Buffer.from(signingInput)
  const { algorithm } = key.stored
  if (algorithm === 'RS256') return verifyBytes('sha256', input, key.publicKey, signature)
  if (algorithm === 'ES256') {
    const der = fromJwsSignature(signature)
    return der !== null && verifyBytes('sha256', input, key.publicKey, der)
  }
  return verifyBytes(null, input, key.publicKey, signature)
}
