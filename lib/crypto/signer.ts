/** Signs and verifies our own tokens. Keys come from the ring and from nowhere else. */
import { type KeyObject, sign as signBytes, verify as verifyBytes } from 'node:crypto'
import { promisify } from 'node:util'
import type { Clock } from '#lib/ports/environment.ts'
import type { PublicJwk, Signer, TokenKind, VerifiedJwt } from '#lib/ports/signer.ts'
import type { Claims } from '#lib/protocol/claims.ts'
import { type SigningAlgorithm, signingAlgorithms } from '#lib/protocol/vocabulary.ts'
import { hasSoundClaims } from './claim-rules.ts'
import { type CompactJws, parseCompactJws } from './compact-jws.ts'
import { fromJwsSignature, toJwsSignature } from './ecdsa-signature.ts'
import type { SigningKey } from './signing-key.ts'

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
  return {
    algorithms: signingAlgorithms,
    publicKeys: keys.published,
    async sign(claims, kind, algorithm) {
      const key = await keys.active(algorithm)
      const signingInput = `${encodedHeader(key, kind)}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}`
      const signature = await signWith(key, Buffer.from(signingInput))
      return `${signingInput}.${signature.toString('base64url')}`
    },
    async verify(jwt, kind, options = {}) {
      const jws = parseCompactJws(jwt)
      const key = jws === null ? null : await keyFor(jws, kind, keys)
      if (jws === null || key === null || !isSignedBy(key, jws)) return null
      const claims = jws.payload()
      if (
        claims === null ||
        !hasSoundClaims(claims, { issuer, now: clock.now(), ignoreExpiry: options.ignoreExpiry ?? false })
      )
        return null
      return verified(claims, key)
    },
  }
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

/** RSA takes a millisecond or more and goes to the thread pool; the others are faster than the way there. */
async function signWith(key: SigningKey, input: Buffer): Promise<Buffer> {
  const { algorithm } = key.stored
  if (algorithm === 'RS256') return signOnThreadPool('sha256', input, key.privateKey())
  if (algorithm === 'ES256') return toJwsSignature(signBytes('sha256', input, key.privateKey()))
  return signBytes(null, input, key.privateKey())
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

function verified(claims: Claims, key: SigningKey): VerifiedJwt {
  return { claims, algorithm: key.stored.algorithm }
}
