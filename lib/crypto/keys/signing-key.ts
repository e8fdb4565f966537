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
import type { PublicJwk, StoredSigningKey, TokenKind } from '#lib/ports/signing-keys.ts'
import { secondsAfter } from '#lib/protocol/time.ts'
import type { SigningAlgorithm } from '#lib/protocol/vocabulary.ts'
import { type CertifiedKey, certificateMembers, selfSignedCertificate } from './certificates.ts'

/** A stored key with its public and private key ready for use. The private key is opened at its first use. */
export type SigningKey = {
  readonly stored: StoredSigningKey
  readonly publicKey: KeyObject
  readonly privateKey: () => KeyObject
  /** The encoded headers of the tokens that it signs. NOTE: a token with a different header is refused, even if signed. */
  readonly headers: Readonly<Record<TokenKind, string>>
  /**
   * Returns the key in its certified form. An RSA key without an imported certificate gets one that is self-signed in
   * this name; the keys of other algorithms have no certificate.
   */
  readonly certified: (name: string) => Promise<Certified>
}

/**
 * The certified form of a key. `headers`: access tokens in the format of IdentityServer3 name the certificate, by which
 * their APIs find the key.
 */
export type Certified = { readonly publicJwk: PublicJwk } & Pick<SigningKey, 'headers'>

const generate = promisify(generateKeyPair)

/** Makes a key of an algorithm, with its private key sealed at `signing_key:private_jwk:<kid>` (JW-09). */
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

/**
 * Makes a signing key of an operator's certificate, which signs until the certificate expires. Its `kid` is the `x5t`,
 * as in IdentityServer3.
 */
export function importSigningKey(
  wanted: Pick<StoredSigningKey, 'generation' | 'createdAt' | 'activatesAt'>,
  { privateKey, own, chain }: CertifiedKey,
  sealing: Sealing,
): StoredSigningKey {
  const retiresAt = own.validToDate
  const members = certificateMembers(chain.map(({ raw }) => raw))
  const kid = String(members.x5t)
  const jwk = createPublicKey(privateKey).export({ format: 'jwk' })
  return {
    ...wanted,
    kid,
    algorithm: 'RS256',
    publicJwk: { ...publicMembers(jwk, kid, 'RS256'), ...members },
    sealedPrivateJwk: sealing.seal(JSON.stringify(privateKey.export({ format: 'jwk' })), sealingContext(kid)),
    retiresAt,
    expiresAt: secondsAfter(retiresAt, limits.retentionSeconds),
  }
}

/**
 * Opens a stored key. `privateKey` and `certified` throw when the private key was altered, moved between rows or sealed
 * under another master key.
 */
export function openSigningKey(stored: StoredSigningKey, sealing: Sealing): SigningKey {
  let opened: KeyObject | undefined
  let certified: Promise<Certified> | undefined
  const publicKey = createPublicKey({ key: JSON.parse(JSON.stringify(stored.publicJwk)), format: 'jwk' })
  const privateKey = () => {
    opened ??= createPrivateKey({
      key: JSON.parse(sealing.open(stored.sealedPrivateJwk, sealingContext(stored.kid))),
      format: 'jwk',
    })
    return opened
  }
  return {
    stored,
    publicKey,
    privateKey,
    headers: headersOf(stored, stored.publicJwk),
    certified: name => {
      certified ??= withCertificate(stored, { publicKey, privateKey: privateKey() }, name)
      return certified
    },
  }
}

/** Whether the private key can be opened: it was sealed with this master key, and not altered or moved. */
export function opensSigningKey(stored: StoredSigningKey, sealing: Sealing): boolean {
  try {
    return openSigningKey(stored, sealing).privateKey().type === 'private'
  } catch {
    return false
  }
}

async function withCertificate(
  stored: StoredSigningKey,
  halves: { readonly publicKey: KeyObject; readonly privateKey: KeyObject },
  name: string,
): Promise<Certified> {
  const { publicJwk, kid, createdAt } = stored
  if (publicJwk.kty !== 'RSA' || publicJwk.x5c !== undefined)
    return { publicJwk, headers: headersOf(stored, publicJwk) }
  const certificate = await selfSignedCertificate({ kid, createdAt, ...halves }, name)
  const certified = { ...publicJwk, ...certificateMembers([certificate]) }
  return { publicJwk: certified, headers: headersOf(stored, certified) }
}

/**
 * Returns the headers: four different texts, although three have the same `typ`, because its position differs.
 * IdentityServer3 wrote it first.
 */
function headersOf({ algorithm: alg, kid }: StoredSigningKey, jwk: PublicJwk): SigningKey['headers'] {
  const x5t: Readonly<Record<string, string>> = typeof jwk.x5t === 'string' ? { x5t: jwk.x5t } : {}
  return {
    'at+jwt': encoded({ alg, typ: 'at+jwt', kid }),
    JWT: encoded({ alg, typ: 'JWT', kid }),
    'access-jwt': encoded({ alg, kid, typ: 'JWT' }),
    identityserver3: encoded({ typ: 'JWT', alg, ...x5t, kid }),
  }
}

function encoded(header: Readonly<Record<string, string>>): string {
  return Buffer.from(JSON.stringify(header)).toString('base64url')
}

function generatePair(algorithm: SigningAlgorithm): Promise<{ publicKey: KeyObject; privateKey: KeyObject }> {
  if (algorithm === 'RS256' || algorithm === 'PS256')
    return generate('rsa', { modulusLength: limits.rsaBits })
  if (algorithm === 'ES256') return generate('ec', { namedCurve: 'P-256' })
  return generate('ed25519')
}

/** JW-11: returns the public members. Each is named, so that a private one cannot be included by mistake. */
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
