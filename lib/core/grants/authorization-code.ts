/** `grant_type=authorization_code`: RFC 6749 4.1.3 with RFC 7636. */
import { codeRedemptionAttempts } from '#lib/config/limits.ts'
import type { Checks } from '#lib/errors/checks.ts'
import { OauthError } from '#lib/errors/oauth-error.ts'
import type { Hashing } from '#lib/ports/environment.ts'
import type { AuthorizationCode, FoundCode, Grant } from '#lib/ports/grants.ts'
import type { Ports } from '#lib/ports/ports.ts'
import { parseHandle } from '#lib/protocol/ids.ts'
import type { Client } from '#lib/protocol/registration/client.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'
import { shownUri } from '#lib/protocol/text/addresses.ts'
import { verifierMatches } from '#lib/protocol/wire/pkce.ts'
import { offlineScope, openidScope } from '#lib/protocol/wire/scopes.ts'
import { prepareTokens } from '../token/issue-tokens.ts'
import { permitTokens } from '../token/permit.ts'
import {
  callValidateTokenRequestHook,
  type GrantAnswer,
  type GrantRequest,
  type GrantType,
  requiredParameter,
  requireLive,
} from './grant.ts'

export const authorizationCodeGrant = {
  parameters: ['code', 'redirect_uri', 'code_verifier'],
  answer: redeemCode,
} as const satisfies GrantType

/**
 * Redeems a code. A refused request leaves it unused. RFC 6749 4.1.2: a code is used once, so the change that marks it as
 * used also stores the tokens. Only one of several concurrent requests succeeds; the others are evaluated again, and find
 * the used code.
 */
async function redeemCode(
  ports: Ports,
  request: GrantRequest,
  context: RequestContext,
): Promise<GrantAnswer> {
  const { client, parameters, checks } = request
  checks.begin('parameters_present')
  const value = requiredParameter(parameters, 'code')
  const proof = {
    redirectUri: requiredParameter(parameters, 'redirect_uri'),
    verifier: parameters.one('code_verifier'),
  }
  checks.begin('code_known')
  const code = await findCode(ports, client, value)
  await checkProof(ports, { code, proof, checks })
  checks.begin('code_unused')
  if (code.usedAt !== null) return refuseReplay(ports, code, context)
  checks.begin('code_not_expired')
  if (code.expiresAt <= ports.clock.now()) throw new OauthError('code_expired')
  const grant = requireLive(ports, request, code.grant)
  const permit = await permitTokens(ports, request, grant)
  await callValidateTokenRequestHook(ports, request, permit)
  const { scopes } = permit.granted
  const { response, issued } = await prepareTokens(ports, {
    permit,
    grant,
    idToken: scopes.includes(openidScope) ? { nonce: code.nonce } : null,
    refresh: { kind: scopes.includes(offlineScope) ? 'first' : 'none' },
  })
  const isRedeemed = await ports.codes.redeem(code.digest, issued, ports.clock.now())
  if (!isRedeemed) return redeemCode(ports, request, context)
  recordRedemption(ports, grant, context)
  return { response, grant }
}

// The code of another client is refused before failures are counted, so that a client that obtained it cannot
// invalidate it
async function findCode(ports: Ports, client: Client, value: string): Promise<FoundCode> {
  const handle = parseHandle('code', value)
  const code = handle === null ? null : await ports.codes.find(ports.hashing.digest(handle))
  if (code === null) throw new OauthError('code_unknown')
  if (code.clientId !== client.clientId) throw new OauthError('code_of_another_client')
  return code
}

type Redemption = {
  readonly code: AuthorizationCode
  readonly proof: CodeProof
  readonly checks: Checks
}

async function checkProof(ports: Ports, { code, proof, checks }: Redemption): Promise<void> {
  checks.begin('code_attempts_not_exceeded')
  if (code.usedAt === null && code.failedAttempts >= codeRedemptionAttempts)
    throw new OauthError('code_attempts_exceeded')
  checks.begin('code_redirect_uri_matches')
  const mistake = findProofMistake(code, proof, ports.hashing)
  if (mistake !== 'redirect_uri_differs') checks.begin('code_verifier_correct')
  if (mistake === null) return
  if (code.usedAt === null) await ports.codes.countFailure(code.digest)
  throw new OauthError(mistake, { evidence: evidenceOf(mistake, code, proof) })
}

function evidenceOf(mistake: ProofMistake, { redirectUri }: AuthorizationCode, proof: CodeProof) {
  if (mistake !== 'redirect_uri_differs') return null
  return { sent: shownUri(proof.redirectUri, [redirectUri]), expected: [redirectUri] }
}

// OAuth 2.1 4.1.3: only a second valid redemption proves that two parties have the code, so only it revokes the grant
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
  readonly verifier: string | null
}

export type ProofMistake =
  | 'redirect_uri_differs'
  | 'verifier_missing'
  | 'verifier_unexpected'
  | 'verifier_wrong'

/**
 * Returns the mistake in the redirect URI or the code verifier; `null` if there is none, also if the request had no challenge and
 * no verifier is sent.
 */
export function findProofMistake(
  code: Pick<AuthorizationCode, 'redirectUri' | 'codeChallenge'>,
  { redirectUri, verifier }: CodeProof,
  hashing: Hashing,
): ProofMistake | null {
  if (!hashing.equal(redirectUri, code.redirectUri)) return 'redirect_uri_differs'
  const { codeChallenge: challenge } = code
  // RFC 9700 4.8.2: a verifier without a challenge is refused, because an attacker may have removed the challenge
  if (challenge === null) return verifier === null ? null : 'verifier_unexpected'
  if (verifier === null) return 'verifier_missing'
  return verifierMatches(verifier, challenge, hashing) ? null : 'verifier_wrong'
}
