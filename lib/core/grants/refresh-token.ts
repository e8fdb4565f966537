/** `grant_type=refresh_token`: RFC 6749 6 with the rotation of RFC 9700 4.14.2. */
import { OauthError } from '#lib/errors/oauth-error.ts'
import type { RefreshToken } from '#lib/ports/grants.ts'
import type { Ports } from '#lib/ports/ports.ts'
import { parseHandle, type RefreshTokenHandle, type ScopeName } from '#lib/protocol/ids.ts'
import type { Client } from '#lib/protocol/registration/client.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'
import { offlineScope, openidScope, scopeWords } from '#lib/protocol/wire/scopes.ts'
import { carriedClaims, isOneTime } from '../token/refresh-token.ts'
import type { TokenIssue } from '../token/response.ts'
import type { GrantAnswer, GrantRequest } from './grant-handler.ts'
import { readRepeat, repeatAnswer, reuse, rotate } from './refresh-rotation.ts'
import { requireActiveGrant, requireUsable, type UsableGrant } from './require-grant.ts'

/**
 * Everything that can be refused is refused before the token is spent (RT-11). One that was spent before is recognised
 * first: no other fault of the request may hide that two parties hold it (RT-03).
 */
export async function grantByRefreshToken(
  ports: Ports,
  { client, request }: GrantRequest<'refresh_token'>,
  context: RequestContext,
): Promise<GrantAnswer> {
  const handle = readHandle(request.refresh_token)
  const token = await findToken(ports, client, handle)
  const grant = await requireActiveGrant(ports, client, token.grantId)
  const repeated = token.spentAt === null ? null : await readRepeat(ports, token, context)
  const usable = await requireUsable(ports, client, grant)
  if (!usable.scopes.includes(offlineScope)) throw new OauthError('offline_no_longer_allowed')
  const scopes = narrowedScopes(usable, request.scope)
  if (repeated !== null)
    return { response: repeatAnswer(ports, { spent: token, answer: repeated, scopes }, context), grant }
  if (token.expiresAt <= ports.clock.now()) throw new OauthError('refresh_token_expired')
  const issue: RefreshIssue = {
    client,
    grant,
    scopes,
    ...carriedClaims(client, token.accessTokenClaims),
    identity: scopes.includes(openidScope) ? { nonce: null, isBound: true } : null,
  }
  const response = isOneTime(client)
    ? await rotate(ports, { token, issue }, context)
    : await reuse(ports, { token, issue, handle })
  return { response, grant }
}

type RefreshIssue = Omit<TokenIssue, 'refresh'> & Pick<UsableGrant, 'grant'>

function readHandle(value: string): RefreshTokenHandle {
  const handle = parseHandle('refreshToken', value)
  if (handle === null) throw new OauthError('refresh_token_malformed')
  return handle
}

// Also finds spent tokens: a second use must be recognised.
async function findToken(ports: Ports, client: Client, handle: RefreshTokenHandle): Promise<RefreshToken> {
  const token = await ports.refreshTokens.find(ports.hashing.digest(handle))
  if (token === null) throw new OauthError('refresh_token_unknown')
  if (token.clientId !== client.clientId) throw new OauthError('refresh_token_of_another_client')
  return token
}

// RFC 6749 6: the access token may get less than was granted, never more; the refresh token keeps the original.
function narrowedScopes({ scopes }: UsableGrant, asked: string | null): readonly ScopeName[] {
  const words = scopeWords(asked ?? '')
  if (words.length === 0) return scopes
  const narrowed = scopes.filter(name => words.includes(name))
  if (narrowed.length === words.length) return narrowed
  throw new OauthError('scope_not_granted')
}
