/** PKCE: the shapes of challenge and verifier, and their comparison (RFC 7636). */
import type { CodeChallengeMethod } from '../vocabulary.ts'

type Hashing = {
  /** The base64url form of a SHA-256 digest. */
  readonly digest: (text: string) => string
  /** Compares in constant time. */
  readonly equal: (one: string, other: string) => boolean
}

// RFC 7636 4.1: 43 to 128 unreserved characters
const verifierShape = /^[A-Za-z0-9\-._~]{43,128}$/
// RFC 7636 4.2: the base64url form of a SHA-256 digest
const digestShape = /^[A-Za-z0-9_-]{43}$/

/** Whether a `code_challenge` can be one of this method. A `plain` challenge is the verifier itself. */
export function isChallengeShaped(challenge: string, method: CodeChallengeMethod): boolean {
  return method === 'S256' ? digestShape.test(challenge) : verifierShape.test(challenge)
}

/** Whether a `code_verifier` has the length and the characters of RFC 7636 4.1. */
export function isVerifierShaped(verifier: string): boolean {
  return verifierShape.test(verifier)
}

/**
 * The stored form of a challenge: that of S256, for both methods. A `plain` challenge is the verifier itself, and an
 * attacker who reads the database must not be able to redeem the code.
 */
export function keptChallenge(
  challenge: string,
  method: CodeChallengeMethod,
  hashing: Pick<Hashing, 'digest'>,
): string {
  return method === 'S256' ? challenge : hashing.digest(challenge)
}

/** Whether the verifier proves the kept challenge (RFC 7636 4.6). A badly shaped verifier proves nothing. */
export function verifierMatches(
  verifier: string,
  kept: string,
  hashing: Pick<Hashing, 'digest' | 'equal'>,
): boolean {
  return isVerifierShaped(verifier) && hashing.equal(hashing.digest(verifier), kept)
}
