/** `grant_type=refresh_token`: RFC 6749 6 with the rotation of RFC 9700 4.14.2. */
import { publicRefreshRetryWindowSeconds } from '#lib/config/limits.ts'
import { OauthError } from '#lib/errors/oauth-error.ts'
import type { FoundRefreshToken, Grant, RefreshToken } from '#lib/ports/grants.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { GrantDetails } from '#lib/protocol/grant-details.ts'
import { parseHandle } from '#lib/protocol/ids.ts'
import { type Client, isPublic } from '#lib/protocol/registration/client.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'
import { secondsAfter } from '#lib/protocol/time.ts'
import { offlineScope, openidScope } from '#lib/protocol/wire/scopes.ts'
import { narrowToRequest } from '../scopes/resolve-scopes.ts'
import {
  carriedClaims,
  isOneTime,
  issueTokens,
  prepareTokens,
  type TokenIssue,
  type TokenResponse,
} from '../token/issue-tokens.ts'
import { permitTokens } from '../token/permit.ts'
import { findStoredToken } from '../token/stored-tokens.ts'
import {
  callValidateTokenRequestHook,
  type GrantAnswer,
  type GrantRequest,
  type GrantType,
  requiredParameter,
  requireLive,
} from './grant.ts'

export const refreshTokenGrant = {
  parameters: ['refresh_token', 'scope'],
  answer: refresh,
} as const satisfies GrantType

/**
 * Refreshes. Every refusal happens before the token is used (RT-11). A used token is recognized before the user, the
 * scopes and the hook are checked: none of these refusals may hide that two parties have the token (RT-03). One of
 * several concurrent requests rotates a one-time token; the others are evaluated again, and find the used token.
 */
async function refresh(ports: Ports, request: GrantRequest, context: RequestContext): Promise<GrantAnswer> {
  const { client, parameters, checks } = request
  checks.begin('parameters_present')
  const value = requiredParameter(parameters, 'refresh_token')
  checks.begin('refresh_token_known')
  const token = await findToken(ports, client, value)
  const grant = requireLive(ports, request, token.grant)
  checks.begin('refresh_token_unused')
  const earlierAnswer = token.spentAt === null ? null : await readRetryAnswer(ports, token)
  if (token.spentAt !== null && earlierAnswer === null) return revokeForReplay(ports, token, context)
  const whole = await permitTokens(ports, request, grant)
  if (!whole.granted.scopes.includes(offlineScope)) throw new OauthError('offline_no_longer_allowed')
  const granted = narrowToRequest(whole.granted, parameters)
  const permit = { ...whole, granted }
  checks.begin('refresh_token_not_expired')
  if (earlierAnswer === null && token.expiresAt <= ports.clock.now())
    throw new OauthError('refresh_token_expired')
  await callValidateTokenRequestHook(ports, request, permit)
  if (earlierAnswer !== null) {
    checks.begin('scopes_still_allowed')
    return { response: answerRetry(ports, { used: token, earlierAnswer, granted }, context), grant }
  }
  const issue: RefreshIssue = {
    permit,
    grant,
    ...carriedClaims(client, token.accessTokenClaims),
    idToken: granted.scopes.includes(openidScope) ? { nonce: null, isBound: true } : null,
  }
  const response = isOneTime(client)
    ? await rotate(ports, token, issue)
    : await issueTokens(ports, { ...issue, refresh: { kind: 'same', value, of: token } }, checks)
  return response === null ? refresh(ports, request, context) : { response, grant }
}

type RefreshIssue = Omit<TokenIssue, 'refresh'> & { readonly grant: Grant }

// Returns used tokens as well, so that a second use is recognized
async function findToken(ports: Ports, client: Client, value: string): Promise<FoundRefreshToken> {
  const kind = 'refreshToken'
  const found = await findStoredToken(ports, { kind, value }, ports.refreshTokens.find)
  if (found === null) {
    const isOne = parseHandle(kind, value) !== null
    throw new OauthError(isOne ? 'refresh_token_unknown' : 'refresh_token_malformed')
  }
  const { token } = found
  if (token.clientId !== client.clientId) throw new OauthError('refresh_token_of_another_client')
  return token
}

type Retry = {
  readonly used: RefreshToken
  readonly earlierAnswer: SealedAnswer
  /** The details that this request would get now. */
  readonly granted: GrantDetails
}

/** A response, with the details that its access token authorizes. */
type SealedAnswer = { readonly response: TokenResponse; readonly granted: GrantDetails }

/**
 * Marks the token as used and issues its successor, both or neither. Returns `null` if the token was used or revoked in
 * the meantime.
 */
async function rotate(ports: Ports, token: RefreshToken, issue: RefreshIssue): Promise<TokenResponse | null> {
  const refresh = { kind: 'successor', of: token } as const
  const { response, issued } = await prepareTokens(ports, { ...issue, refresh })
  const { refreshToken = null } = issued
  if (refreshToken === null) throw new Error('a successor was planned but not made')
  const { client, granted } = issue.permit
  const answer: SealedAnswer = { response, granted }
  const now = ports.clock.now()
  const used = {
    digest: token.digest,
    sealedAnswer: ports.sealing.seal(JSON.stringify(answer), answerPlace(token)),
    answerExpiresAt: secondsAfter(now, retryWindowSeconds(ports, client)),
  }
  return (await ports.refreshTokens.rotate(used, { ...issued, refreshToken }, now)) ? response : null
}

/**
 * Returns the retry window of the client, or that of the server, which is limited for clients without a secret.
 */
function retryWindowSeconds({ settings }: Pick<Ports, 'settings'>, client: Client): number {
  if (client.refreshRetryWindowSeconds !== null) return client.refreshRetryWindowSeconds
  const { refreshRetryWindowSeconds } = settings
  return isPublic(client)
    ? Math.min(refreshRetryWindowSeconds, publicRefreshRetryWindowSeconds)
    : refreshRetryWindowSeconds
}

/**
 * Returns the answer with the successor of this used token. A client that did not receive it may retry within the retry
 * window and gets the same answer (RT-04). `null`: the window has ended (see `isInRetryWindow`) or the answer was
 * erased, so the token counts as replayed.
 */
async function readRetryAnswer(ports: Ports, used: RefreshToken): Promise<SealedAnswer | null> {
  const { sealedAnswer } = used
  if (sealedAnswer === null || !(await isInRetryWindow(ports, used))) return null
  return readAnswer(ports.sealing.open(sealedAnswer, answerPlace(used)))
}

// RT-03: two parties have tokens of this family, so all of it is revoked
async function revokeForReplay(
  ports: Ports,
  { clientId, grantId }: RefreshToken,
  context: RequestContext,
): Promise<never> {
  await ports.grants.revoke({ id: grantId }, ports.clock.now())
  ports.events.record({ name: 'refresh_token_replayed', outcome: 'failure', clientId, grantId }, context)
  throw new OauthError('refresh_token_replayed')
}

/**
 * Returns the earlier answer again. Throws `invalid_scope`, without revoking anything, unless this request would get
 * the same scopes and claims of the sign-in as the earlier one.
 */
function answerRetry(
  ports: Ports,
  { used, earlierAnswer, granted }: Retry,
  context: RequestContext,
): TokenResponse {
  // RFC 6749 6: a token with more scopes than requested must not be issued, and the refresh token is already used
  if (JSON.stringify(earlierAnswer.granted) !== JSON.stringify(granted))
    throw new OauthError('refresh_retry_differs')
  const { clientId, grantId } = used
  ports.events.record({ name: 'refresh_retried', outcome: 'success', clientId, grantId }, context)
  return earlierAnswer.response
}

// The window also ends when the successor is used, because the client then has it
async function isInRetryWindow(ports: Ports, { answerExpiresAt, successor }: RefreshToken): Promise<boolean> {
  if (answerExpiresAt === null || successor === null) return false
  if (answerExpiresAt <= ports.clock.now()) return false
  const next = await ports.refreshTokens.find(successor)
  return next !== null && next.spentAt === null
}

function answerPlace(token: RefreshToken): string {
  return `refresh_token:sealed_answer:${token.digest}`
}

function readAnswer(sealed: string): SealedAnswer {
  const answer: SealedAnswer = JSON.parse(sealed)
  return answer
}
