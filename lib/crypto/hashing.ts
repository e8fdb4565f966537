/** Digests of handles and tokens, and comparison in constant time. */
import { createHash, hash, timingSafeEqual } from 'node:crypto'
import type { Hashing } from '#lib/ports/environment.ts'
import { type Digest, timePrefixOf } from '#lib/protocol/ids.ts'

/** The hash of each signature algorithm, for `at_hash` (OpenID Connect Core 3.1.3.6, RFC 8032 5.1). */
const hashOf = { RS256: 'sha256', PS256: 'sha256', ES256: 'sha256', EdDSA: 'sha512' } as const

export function createHashing(): Hashing {
  return {
    digest: handle => digest(handle) as Digest,
    tokenDigest: handle => `${timePrefixOf(handle)}${digest(handle)}` as Digest,
    halfHash: (value, algorithm) => leftHalf(createHash(hashOf[algorithm]).update(value, 'utf8').digest()),
    equal: isEqual,
  }
}

/**
 * Compares the digests of texts in constant time, so that the duration does not reveal where the texts differ. NOTE:
 * making a digest as a buffer takes four times as long as making it as text.
 */
function isEqual(left: string, right: string): boolean {
  return timingSafeEqual(digestBytes(left), digestBytes(right))
}

/** Compares digests of one kind, whose length is public, in constant time: a third of the cost of `isEqual`. */
export function isSameDigest(left: string, right: string): boolean {
  return areSameBytes(Buffer.from(left), Buffer.from(right))
}

/** Compares bytes in a time that depends on the lengths and not on the content. */
export function areSameBytes(left: Buffer, right: Buffer): boolean {
  return left.length === right.length && timingSafeEqual(left, right)
}

function digest(text: string): string {
  return hash('sha256', text, 'base64url')
}

function digestBytes(text: string): Buffer {
  return Buffer.from(hash('sha256', text, 'hex'), 'latin1')
}

function leftHalf(digest: Buffer): string {
  return digest.subarray(0, digest.length / 2).toString('base64url')
}
