/** Time, randomness, digests and encryption, which the core needs from the platform. */

import type { Digest, GrantId, Handle, HandleKind, SessionId, TimePrefixed } from '#lib/protocol/ids.ts'
import type { SigningAlgorithm } from '#lib/protocol/vocabulary.ts'

export type Clock = { readonly now: () => Date }

export type Random = {
  /** A new handle: its prefix and 256 random bits; of a `TimePrefixed` one, 24 bits of time and 232 random ones. */
  readonly handle: <K extends HandleKind>(kind: K) => Handle<K>
  /** A new grant ID: a time prefix like that of a token, then 104 random bits. */
  readonly grantId: () => GrantId
  readonly sessionId: () => SessionId
  /** 128 random bits as base64url: `jti` and row ids. */
  readonly id: () => string
}

/** SHA-256 as base64url: of handles for look-up, of tokens for `at_hash` (see `halfHash`), of PKCE verifiers. */
export type Hashing = {
  readonly digest: (handle: string) => Digest
  /** The key under which a token or a pending request is stored: its time prefix, then its digest. */
  readonly tokenDigest: (handle: TimePrefixed) => Digest
  /** OpenID Connect Core 3.1.3.6: the left half of the hash that goes with the algorithm. */
  readonly halfHash: (value: string, algorithm: SigningAlgorithm) => string
  /** Compares two strings in constant time, whatever their lengths. */
  readonly equal: (left: string, right: string) => boolean
}

/** Encryption of values that must be read again: AES-256-GCM, bound to their storage location. */
export type Sealing = {
  /** `context` is `table:column:row`; opening under another context fails. */
  readonly seal: (plaintext: string, context: string) => string
  /** Throws when the text was altered, moved or sealed under another master key. */
  readonly open: (sealed: string, context: string) => string
}

/** Opens sealed JSON that a browser kept; `null` if it was altered, moved or sealed under another master key. */
export function openSealedJson(sealing: Sealing, sealed: string, context: string): unknown {
  try {
    return JSON.parse(sealing.open(sealed, context))
  } catch {
    return null
  }
}
