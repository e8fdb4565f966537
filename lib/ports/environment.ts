/** The platform's functions that the core needs: time, randomness, digests and encryption. */

import type { Digest, GrantId, Handle, HandleKind, SessionId, TimePrefixed } from '#lib/protocol/ids.ts'
import type { SigningAlgorithm } from '#lib/protocol/vocabulary.ts'

export type Clock = { readonly now: () => Date }

/**
 * Does work after the response was sent, so that the time of the response does not depend on it. A failure is logged. The
 * server waits for the work before it ends.
 */
export type Afterwards = (work: () => Promise<void>) => void

export type Random = {
  /** Makes a handle: its prefix and 256 random bits; for a `TimePrefixed` one, 24 bits of time and 232 random bits. */
  readonly handle: <K extends HandleKind>(kind: K) => Handle<K>
  /** Makes a grant ID: a time prefix like that of a token, then 104 random bits. */
  readonly grantId: () => GrantId
  readonly sessionId: () => SessionId
  /** Makes 128 random bits as base64url. */
  readonly id: () => string
}

/** Makes digests, and compares texts. */
export type Hashing = {
  readonly digest: (handle: string) => Digest
  /** Returns the key under which a token or a pending request is stored: its time prefix, then its digest. */
  readonly tokenDigest: (handle: TimePrefixed) => Digest
  /** Returns the left half of the hash that belongs to the algorithm (OpenID Connect Core 3.1.3.6). */
  readonly halfHash: (value: string, algorithm: SigningAlgorithm) => string
  /** Compares two strings in constant time, regardless of their lengths. */
  readonly equal: (left: string, right: string) => boolean
}

/** Encrypts values that must be read again: AES-256-GCM, bound to the place of the value. */
export type Sealing = {
  /** Seals a text. `context` names its place, such as `table:column:row`; opening it with a different context fails. */
  readonly seal: (plaintext: string, context: string) => string
  /** Opens a text. Throws when it was altered, moved or sealed under another master key. */
  readonly open: (sealed: string, context: string) => string
}

/** Opens sealed JSON; `null` if it cannot be opened, for example because it was altered. */
export function openSealedJson(sealing: Sealing, sealed: string, context: string): unknown {
  try {
    return JSON.parse(sealing.open(sealed, context))
  } catch {
    return null
  }
}
