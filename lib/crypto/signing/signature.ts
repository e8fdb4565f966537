/** Makes and verifies the signatures of JWS: RS256, ES256 and PS256 (RFC 7518 3.3, 3.4, 3.5), EdDSA (RFC 8037 3.1). Why not jose: decision 058. */
import { constants, type KeyObject, type SignKeyObjectInput, sign, verify } from 'node:crypto'
import { promisify } from 'node:util'
import type { SigningAlgorithm } from '#lib/protocol/vocabulary.ts'

export type SigningJob = {
  readonly algorithm: SigningAlgorithm
  readonly key: KeyObject
  /** Header and payload of the JWS, encoded (RFC 7515 5.1). */
  readonly input: string
}

/** Makes the third part of a compact JWS. */
export function makeSignature({ algorithm, key, input }: SigningJob): string {
  const signature = sign(hashes[algorithm], Buffer.from(input), padded(algorithm, key))
  return (algorithm === 'ES256' ? toJwsSignature(signature) : signature).toString('base64url')
}

/** Makes an RS256 or PS256 signature on Node's thread pool. */
export async function makeSignatureOnPool({ algorithm, key, input }: SigningJob): Promise<string> {
  return (await signOnPool(hashes.RS256, Buffer.from(input), padded(algorithm, key))).toString('base64url')
}

const signOnPool = promisify<string, Buffer, SigningKeyInput, Buffer>((hash, input, key, done) =>
  sign(hash, input, key, done),
)

/** Whether a signature is valid and in its only valid encoding: base64url without padding and unused bits. */
export function isSignatureValid({ algorithm, key, input }: SigningJob, encoded: string): boolean {
  const signature = Buffer.from(encoded, 'base64url')
  if (signature.toString('base64url') !== encoded) return false
  if (algorithm !== 'ES256')
    return verify(hashes[algorithm], Buffer.from(input), padded(algorithm, key), signature)
  const isComplete = signature.length === 2 * numberBytes
  return isComplete && verify(hashes.ES256, Buffer.from(input), key, toDerSignature(signature))
}

/** The hash of each algorithm; Ed25519 includes its own. */
const hashes = { RS256: 'sha256', PS256: 'sha256', ES256: 'sha256', EdDSA: null } as const

type SigningKeyInput = KeyObject | SignKeyObjectInput

/** Adds the padding of PS256, whose salt is as long as the hash. */
function padded(algorithm: SigningAlgorithm, key: KeyObject): SigningKeyInput {
  return algorithm === 'PS256' ? { key, ...pss } : key
}

const pss = {
  padding: constants.RSA_PKCS1_PSS_PADDING,
  saltLength: constants.RSA_PSS_SALTLEN_DIGEST,
} as const

const numberBytes = 32

/**
 * Converts ASN.1 DER, `SEQUENCE { INTEGER r, INTEGER s }`, to r and s of 32 bytes each, the format of JWS. For
 * signatures that OpenSSL has just made. NOTE: with Node's own conversion (`dsaEncoding`) a signature takes twice as
 * long.
 */
export function toJwsSignature(der: Buffer): Buffer {
  const joined = Buffer.alloc(2 * numberBytes)
  // 0x30 length 0x02 length r 0x02 length s; for P-256 every length has one byte
  const lengthOfR = der.readUInt8(3)
  const r = der.subarray(4, 4 + lengthOfR)
  const s = der.subarray(4 + lengthOfR + 2)
  placeRight(joined, r, numberBytes)
  placeRight(joined, s, 2 * numberBytes)
  return joined
}

/** Copies a number so that it ends before `end`, without the zero byte that DER puts before a high bit. */
function placeRight(target: Buffer, number: Buffer, end: number): void {
  const digits = number.length > numberBytes ? number.subarray(number.length - numberBytes) : number
  digits.copy(target, end - digits.length)
}

/** Converts 64 bytes of r and s to ASN.1 DER. NOTE: with `dsaEncoding` a verification takes 1.4 times as long. */
export function toDerSignature(joined: Buffer): Buffer {
  const r = toDerInteger(joined.subarray(0, numberBytes))
  const s = toDerInteger(joined.subarray(numberBytes))
  return Buffer.concat([Buffer.from([0x30, r.length + s.length]), r, s])
}

/**
 * X.690 8.3: encodes a number without leading zero bytes, but with one before a high bit, which would make the number
 * negative.
 */
function toDerInteger(number: Buffer): Buffer {
  const first = number.findIndex(byte => byte !== 0)
  const digits = number.subarray(first === -1 ? numberBytes - 1 : first)
  const isHigh = digits.readUInt8(0) >= 0x80
  return Buffer.concat([Buffer.from(isHigh ? [0x02, digits.length + 1, 0] : [0x02, digits.length]), digits])
}
