/** PKCE: the formats of challenge and verifier, and their comparison (RFC 7636). */
import type { CodeChallengeMethod } from '../vocabulary.ts'

type Hashing = {
  /** Returns the SHA-256 digest as base64url. */
  readonly digest: (text: string) => string
  /** Compares in constant time. */
  readonly equal: (one: string, other: string) => boolean
}

type Shape = { readonly pattern: RegExp; readonly words: string }

/** The format of a verifier (RFC 7636 4.1). */
const verifierShape: Shape = {
  pattern: /^[A-Za-z0-9\-._~]{43,128}$/,
  words: '43 to 128 unreserved characters',
}

/** The formats of a `code_challenge`: the base64url form of a SHA-256 digest, or the verifier itself (RFC 7636 4.2). */
export const challengeShapes: Readonly<Record<CodeChallengeMethod, Shape>> = {
  S256: { pattern: /^[A-Za-z0-9_-]{43}$/, words: '43 base64url characters' },
  plain: verifierShape,
}

/**
 * Returns the stored form of a challenge: that of S256, for both methods. A `plain` challenge is the verifier itself,
 * and an attacker who reads the database must not be able to redeem the code.
 */
export function keptChallenge(
  challenge: string,
  method: CodeChallengeMethod,
  hashing: Pick<Hashing, 'digest'>,
): string {
  return method === 'S256' ? challenge : hashing.digest(challenge)
}

/** Whether the verifier matches the stored challenge (RFC 7636 4.6). A malformed verifier never matches. */
export function verifierMatches(
  verifier: string,
  kept: string,
  hashing: Pick<Hashing, 'digest' | 'equal'>,
): boolean {
  return verifierShape.pattern.test(verifier) && hashing.equal(hashing.digest(verifier), kept)
}
