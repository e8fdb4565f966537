/** What happens to a refresh token that is used: replaced, kept, or recognised as used before. */
import { OauthError } from '#lib/errors/oauth-error.ts'
import type { Grant, RefreshToken } from '#lib/ports/grants.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { JsonValue } from '#lib/protocol/claims.ts'
import type { ScopeName } from '#lib/protocol/ids.ts'
import type { Client } from '#lib/protocol/registration/client.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'
import { secondsAfter } from '#lib/protocol/time.ts'
import type { TokenResponse } from '../token/outcome.ts'
import { nextExpiry } from '../token/refresh-token.ts'
import { issueTokens, outlive, prepareTokens, type TokenIssue } from '../token/response.ts'

export type RefreshUse = {
  readonly token: RefreshToken
  readonly issue: Omit<TokenIssue, 'refresh'> & { readonly grant: Grant }
}

export type Repeat = {
  readonly spent: RefreshToken
  readonly answer: TokenResponse
  /** What this request asks for, in the order of the grant. */
  readonly scopes: readonly ScopeName[]
}

/** Spends the token and hands out its successor: both or neither, for exactly one of several callers. */
export async function rotate(
  ports: Ports,
  { token, issue }: RefreshUse,
  context: RequestContext,
): Promise<TokenResponse> {
  const prepared = await prepareTokens(ports, { ...issue, refresh: { kind: 'successor', of: token } })
  const { response, refreshToken, accessToken, lastsUntil } = prepared
  if (refreshToken === null) throw new Error('a successor was planned and not made')
  await outlive(ports, issue.grant, lastsUntil)
  const sealedAnswer = ports.sealing.seal(JSON.stringify(response), answerPlace(token))
  const now = ports.clock.now()
  const answerExpiresAt = secondsAfter(now, retryWindowSeconds(ports, issue.client))
  const rotation = {
    spent: token.digest,
    successor: refreshToken,
    sealedAnswer,
    answerExpiresAt,
    accessToken,
  }
  if (await ports.refreshTokens.rotate(rotation, now)) return response
  const spent = await ports.refreshTokens.find(token.digest)
  if (spent === null) throw new OauthError('refresh_token_gone')
  const answer = await readRepeat(ports, spent, context)
  return repeatAnswer(ports, { spent, answer, scopes: issue.scopes }, context)
}

/** The client's own window, or the server's. */
function retryWindowSeconds({ settings }: Pick<Ports, 'settings'>, client: Client): number {
  return client.refreshRetryWindowSeconds ?? settings.refreshGraceSeconds
}

/** The token stays as it is; only its sliding end moves. */
export async function reuse(
  ports: Ports,
  { token, issue, handle }: RefreshUse & { readonly handle: string },
): Promise<TokenResponse> {
  const expiresAt = nextExpiry(issue.client, token.absoluteExpiresAt, ports.clock.now())
  if (expiresAt > token.expiresAt) await ports.refreshTokens.slide(token.digest, expiresAt)
  return issueTokens(ports, { ...issue, refresh: { kind: 'same', value: handle } })
}

/**
 * A used token comes again. A client that did not get the answer may retry inside the retry window and gets the same
 * answer (RT-04); otherwise two parties hold tokens of this family, so it is revoked (RT-03).
 */
export async function readRepeat(
  ports: Ports,
  spent: RefreshToken,
  context: RequestContext,
): Promise<TokenResponse> {
  const { sealedAnswer, clientId, grantId } = spent
  if (sealedAnswer !== null && (await isInRetryWindow(ports, spent)))
    return readAnswer(ports.sealing.open(sealedAnswer, answerPlace(spent)))
  await ports.grants.revoke({ id: grantId }, ports.clock.now())
  ports.events.record({ name: 'refresh_reused', outcome: 'failure', clientId, grantId }, context)
  throw new OauthError('refresh_token_reused')
}

/** Throws `invalid_scope`, and ends nothing, when the same answer is not what is asked for now. */
export function repeatAnswer(
  ports: Ports,
  { spent, answer, scopes }: Repeat,
  context: RequestContext,
): TokenResponse {
  // RFC 6749 6: never more than this request asks for, and the token for less is already spent
  if (answer.scope !== scopes.join(' ')) throw new OauthError('repeat_differs')
  const { clientId, grantId } = spent
  ports.events.record({ name: 'refresh_replayed', outcome: 'success', clientId, grantId }, context)
  return answer
}

// The window also ends as soon as the successor was used: from then on the client has it.
async function isInRetryWindow(ports: Ports, { answerExpiresAt, successor }: RefreshToken): Promise<boolean> {
  if (answerExpiresAt === null || successor === null) return false
  if (answerExpiresAt <= ports.clock.now()) return false
  const next = await ports.refreshTokens.find(successor)
  return next !== null && next.spentAt === null
}

function answerPlace(token: RefreshToken): string {
  return `refresh_token:sealed_answer:${token.digest}`
}

function readAnswer(sealed: string): TokenResponse {
  const answer: Record<string, JsonValue> = JSON.parse(sealed)
  return answer
}
