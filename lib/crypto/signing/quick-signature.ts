/** The signatures that take microseconds: ES256 (RFC 7518 3.4) and EdDSA (RFC 8037 3.1). */
import { type KeyObject, sign } from 'node:crypto'
import { toJwsSignature } from './ecdsa-signature.ts'

export type SigningJob = {
  readonly algorithm: 'ES256' | 'EdDSA'
  readonly key: KeyObject
  /** Header and payload of the JWS, encoded (RFC 7515 5.1). */
  readonly input: string
}

/** The third part of the compact JWS. */
export function quickSignature({ algorithm, key, input }: SigningJob): string {
  const bytes = Buffer.from(input)
  const signature =
    algorithm === 'ES256' ? toJwsSignature(sign('sha256', bytes, key)) : sign(null, bytes, key)
  return signature.toString('base64url')
}
