/** Signs and verifies the tokens of this server. Keys come from the key ring only. */
import { clockSkewSeconds, identityServer3SkewSeconds } from '#lib/config/limits.ts'
import type { Clock } from '#lib/ports/environment.ts'
import type { PublicJwk, Signer, TokenKind, VerifyOptions } from '#lib/ports/signing-keys.ts'
import type { Claims, JsonValue } from '#lib/protocol/claims.ts'
import { type SigningAlgorithm, signingAlgorithms } from '#lib/protocol/vocabulary.ts'
import type { SigningKey } from '../keys/signing-key.ts'
import { createSigningQueue } from './signing-queue.ts'
import { createJwsReader } from './verify-jws.ts'

/** The part of the key ring that the signer uses. */
export type KeySource = {
  readonly active: (algorithm: SigningAlgorithm) => Promise<SigningKey>
  /** Returns the published key whose tokens of this kind have exactly this encoded header; `null` if there is none. */
  readonly findByHeader: (header: string, kind: TokenKind) => Promise<SigningKey | null>
  readonly published: () => Promise<readonly PublicJwk[]>
}

type SignerParts = {
  readonly issuer: string
  readonly clock: Clock
  /** The number of processors for this process; those of the machine by default. */
  readonly processors?: number
}

export function createSigner(keys: KeySource, { issuer, clock, processors }: SignerParts): Signer {
  const readContent = createJwsReader(keys.findByHeader)
  const signature = createSigningQueue({ processors })
  return {
    algorithms: signingAlgorithms,
    publicKeys: keys.published,
    async sign(claims, kind, algorithm) {
      const key = await keys.active(algorithm)
      const input = `${key.headers[kind]}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}`
      return `${input}.${await signature({ algorithm, key: key.privateKey(), input })}`
    },
    async verify(jwt, kind, options = {}) {
      const content = await readContent(jwt, kind)
      const skewSeconds = kind === 'identityserver3' ? identityServer3SkewSeconds : 0
      const check = { skewSeconds, ...options, issuer, now: clock.now(), hasIat: kind !== 'identityserver3' }
      if (content === null || !hasSoundClaims(content.claims, check)) return null
      return { claims: content.claims, algorithm: content.key.stored.algorithm }
    },
  }
}

type ClaimCheck = VerifyOptions & {
  readonly skewSeconds: number
  readonly issuer: string
  readonly now: Date
  readonly hasIat: boolean
}

/**
 * Whether issuer, audience and times exist and have the right type (`iat` may be missing without `hasIat`), the issuer is
 * this server, and the times are valid now. The expiry, unless it is ignored, is exact without `skewSeconds`, because
 * this server's clock set it. Start times may be a minute in the future, for nodes whose clocks differ, or `skewSeconds`
 * if that is more.
 */
function hasSoundClaims(
  claims: Claims,
  { issuer, now, ignoreExpiry = false, skewSeconds, hasIat }: ClaimCheck,
): boolean {
  const { exp, nbf } = claims
  const iat = claims.iat === undefined && !hasIat ? nbf : claims.iat
  if (claims.iss !== issuer || !isAudience(claims.aud)) return false
  if (!isTime(exp) || !isTime(nbf) || !isTime(iat)) return false
  const seconds = now.getTime() / 1000
  if (Math.max(nbf, iat) > seconds + Math.max(clockSkewSeconds, skewSeconds)) return false
  return ignoreExpiry || exp > seconds - skewSeconds
}

function isTime(value: JsonValue | undefined): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0
}

function isAudience(value: JsonValue | undefined): boolean {
  const names = Array.isArray(value) ? value : [value]
  return names.length > 0 && names.every(name => typeof name === 'string' && name !== '')
}
