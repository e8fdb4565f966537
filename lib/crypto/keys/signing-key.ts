/** One signing key: made, sealed for the store, opened again. */
import {
  createPrivateKey,
  createPublicKey,
  generateKeyPair,
  type JsonWebKey,
  type KeyObject,
} from 'node:crypto'
import { promisify } from 'node:util'
import { calculateJwkThumbprint, type JWK } from 'jose'
import { signingKeys as limits } from '#lib/config/limits.ts'
import type { Sealing } from '#lib/ports/environment.ts'
import type { StoredSigningKey, TokenKind } from '#lib/ports/signing-keys.ts'
import type { SigningAlgorithm } from '#lib/protocol/vocabulary.ts'

/** A stored key with its halves ready for use. The private half is opened at its first signature. */
export type SigningKey = {
  readonly stored: StoredSigningKey
  readonly publicKey: KeyObject
  readonly privateKey: () => KeyObject
  /** The encoded headers of the tokens that it signs. NOTE: a token with a different text is refused, even if signed. */
  readonly headers: Readonly<Record<TokenKind, string>>
}

const generate = promisify(generateKeyPair)

/** A new key of an algorithm, its private half sealed at `signing_key:private_jwk:<kid>` (JW-09). */
export async function makeSigningKey(
  wanted: Pick<StoredSigningKey, 'algorithm' | 'generation' | 'createdAt' | 'activatesAt'>,
  sealing: Sealing,
): Promise<StoredSigningKey> {
  const { publicKey, privateKey } = await generatePair(wanted.algorithm)
  const jwk = publicKey.export({ format: 'jwk' })
  const kid = await calculateJwkThumbprint(jwk satisfies JsonWebKey as JWK)
  return {
    ...wanted,
    kid,
    publicJwk: publicMembers(jwk, kid, wanted.algorithm),
    sealedPrivateJwk: sealing.seal(JSON.stringify(privateKey.export({ format: 'jwk' })), sealingContext(kid)),
    retiresAt: null,
    expiresAt: null,
  }
}

/** Throws when a key is used that was altered, moved between rows or sealed under another master key. */
export function openSigningKey(stored: StoredSigningKey, sealing: Sealing): SigningKey {
  let opened: KeyObject | undefined
  return {
    stored,
    publicKey: createPublicKey({ key: { ...stored.publicJwk }, format: 'jwk' }),
    privateKey: () => {
      opened ??= createPrivateKey({
        key: JSON.parse(sealing.open(stored.sealedPrivateJwk, sealingContext(stored.kid))),
        format: 'jwk',
      })
      return opened
    },
    headers: headersOf(stored),
  }
}

/** Three different texts, although two have the same `typ`: IdentityServer3 wrote it first. */
function headersOf({ algorithm: alg, kid }: StoredSigningKey): SigningKey['headers'] {
  return {
    'at+jwt': encoded({ alg, typ: 'at+jwt', kid }),
    JWT: encoded({ alg, typ: 'JWT', kid }),
    identityserver3: encoded({ typ: 'JWT', alg, kid }),
  }
}

function encoded(header: Readonly<Record<string, string>>): string {
  return Buffer.from(JSON.stringify(header)).toString('base64url')
}

function generatePair(algorithm: SigningAlgorithm): Promise<{ publicKey: KeyObject; privateKey: KeyObject }> {
  if (algorithm === 'RS256') return generate('rsa', { modulusLength: limits.rsaBits })
  if (algorithm === 'ES256') return generate('ec', { namedCurve: 'P-256' })
  return generate('ed25519')
}

/** JW-11: named one by one, so that a private member cannot slip through. */
function publicMembers(
  jwk: JsonWebKey,
  kid: string,
  algorithm: SigningAlgorithm,
): StoredSigningKey['publicJwk'] {
  const names = ['kty', 'crv', 'x', 'y', 'n', 'e'] as const
  const members = names.flatMap(name => (jwk[name] === undefined ? [] : [[name, jwk[name]] as const]))
  return { ...Object.fromEntries(members), kid, alg: algorithm, use: 'sig' }
}

function sealingContext(kid: string): string {
  return `signing_key:private_jwk:${kid}`
}
