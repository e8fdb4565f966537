/** `grant_type=authorization_code`: RFC 6749 4.1.3 with RFC 7636. */
import { codeRedemptionAttempts } from '#lib/config/limits.ts'
import { OauthError } from '#lib/errors/oauth-error.ts'
import type { Hashing } from '#lib/ports/environment.ts'
import type { AuthorizationCode, FoundCode, Grant } from '#lib/ports/grants.ts'
import type { Ports } from '#lib/ports/ports.ts'
import { parseHandle } from '#lib/protocol/ids.ts'
import type { Client } from '#lib/protocol/registration/client.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'
import { shownUri } from '#lib/protocol/text/addresses.ts'
import type { CodeChallengeMethod } from '#lib/protocol/vocabulary.ts'
import { offlineScope, openidScope } from '#lib/protocol/wire/scopes.ts'
import { prepareTokens } from '../token/issue-tokens.ts'
import {
  callValidateTokenRequestHook,
  type GrantAnswer,
  type GrantRequest,
  type GrantType,
  requireActive,
  requiredParameter,
  requireUsable,
} from './grant.ts'

export const authorizationCodeGrant = {
  parameters: ['code', 'redirect_uri', 'code_verifier'],
  // For the request trace: what `redeemCode` checks, in order
  checks: [
    'parameters_present',
    'code_known',
    'code_attempts_not_exceeded',
    'code_redirect_uri_matches',
    'code_verifier_correct',
    'code_unused',
    'code_not_expired',
    'grant_live',
    'user_active',
    'scopes_still_allowed',
  ],
  answer: redeemCode,
} as const satisfies GrantType

/**
 * A refused request leaves the code unused. RFC 6749 4.1.2: a code is used once, so the change that marks it as used also stores
 * the tokens. It succeeds for one of several concurrent requests; the others are evaluated again, and find the used code.
 */
async function redeemCode(
  ports: Ports,
  request: GrantRequest,
  context: RequestContext,
): Promise<GrantAnswer> {
  const { client, parameters } = request
  const value = requiredParameter(parameters, 'code')
  const proof = {
    redirectUri: requiredParameter(parameters, 'redirect_uri'),
    verifier: parameters.all('code_verifier')[0] ?? null,
  }
  const code = await findCode(ports, client, value)
  await checkProof(ports, code, proof)
  if (code.usedAt !== null) return refuseReplay(ports, code, context)
  if (code.expiresAt <= ports.clock.now()) throw new OauthError('code_expired')
  const { grant } = code
  requireActive(ports, client, grant)
  const granted = await requireUsable(ports, client, grant)
  const { scopes } = granted
  await callValidateTokenRequestHook(ports, { client, scopes, subject: grant.subject, parameters })
  const { response, issued } = await prepareTokens(ports, {
    client,
    grantType: 'authorization_code',
    grant,
    granted,
    idToken: scopes.includes(openidScope) ? { nonce: code.nonce } : null,
    refresh: { kind: scopes.includes(offlineScope) ? 'first' : 'none' },
  })
  const isRedeemed = await ports.codes.redeem(code.digest, issued, ports.clock.now())
  if (!isRedeemed) return redeemCode(ports, request, context)
  recordRedemption(ports, grant, context)
  return { response, grant }
}

// A code of another client is treated as unknown: a client that obtained it must not be able to invalidate it.
async function findCode(ports: Ports, client: Client, value: string): Promise<FoundCode> {
  const handle = parseHandle('code', value)
  const code = handle === null ? null : await ports.codes.find(ports.hashing.digest(handle))
  if (code === null) throw new OauthError('code_unknown')
  if (code.clientId !== client.clientId) throw new OauthError('code_of_another_client')
  return code
}

async function checkProof(ports: Ports, code: AuthorizationCode, proof: CodeProof): Promise<void> {
  if (code.usedAt === null && code.failedAttempts >= codeRedemptionAttempts)
    throw new OauthError('code_attempts_exceeded')
  const mistake = findProofMistake(code, proof, ports.hashing)
  if (mistake === null) return
  if (code.usedAt === null) await ports.codes.countFailure(code.digest)
  throw new OauthError(mistake, { evidence: evidenceOf(mistake, code, proof) })
}

function evidenceOf(mistake: ProofMistake, { redirectUri }: AuthorizationCode, proof: CodeProof) {
  if (mistake !== 'redirect_uri_differs') return null
  return { sent: shownUri(proof.redirectUri, [redirectUri]), expected: [redirectUri] }
}

// OAuth 2.1 4.1.3: only a second valid redemption shows that two parties have the code, so only it revokes.
async function refuseReplay(ports: Ports, code: AuthorizationCode, context: RequestContext): Promise<never> {
  await ports.grants.revoke({ id: code.grantId }, ports.clock.now())
  const { clientId, grantId } = code
  ports.events.record({ name: 'code_replayed', outcome: 'failure', clientId, grantId }, context)
  throw new OauthError('code_replayed')
}

function recordRedemption(ports: Ports, grant: Grant, context: RequestContext): void {
  const { clientId, subject, id: grantId } = grant
  ports.events.record({ name: 'code_redeemed', outcome: 'success', clientId, subject, grantId }, context)
}

export type CodeProof = {
  readonly redirectUri: string
  /** As it was sent; an empty value is a wrong one. */
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
