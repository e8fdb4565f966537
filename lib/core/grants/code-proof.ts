/** Whether a code is redeemed by the client that requested it (RFC 6749 4.1.3, RFC 7636 4.6). */

import type { Hashing } from '#lib/ports/environment.ts'
import type { AuthorizationCode } from '#lib/ports/grants.ts'
import { verifierMatches } from '#lib/protocol/wire/pkce.ts'

export type CodeProof = {
  readonly redirectUri: string
  /** As it was sent; an empty value is a value. */
  readonly verifier: string | null
}

export type ProofMistake =
  | 'redirect_uri_differs'
  | 'verifier_missing'
  | 'verifier_unexpected'
  | 'verifier_wrong'

/** `null` when the redirect URI and the code verifier are right. */
export function findProofMistake(
  code: Pick<AuthorizationCode, 'redirectUri' | 'codeChallenge'>,
  { redirectUri, verifier }: CodeProof,
  hashing: Hashing,
): ProofMistake | null {
  if (!hashing.equal(redirectUri, code.redirectUri)) return 'redirect_uri_differs'
  const { codeChallenge: challenge } = code
  // RFC 9700 4.8.2: a downgrade is refused in both directions
  if (challenge === null) return verifier === null ? null : 'verifier_unexpected'
  if (verifier === null || verifier === '') return 'verifier_missing'
  return verifierMatches(verifier, challenge, hashing) ? null : 'verifier_wrong'
}
