/** `grant_type=client_credentials`: the client acts for itself (RFC 6749 4.4). */
import { OauthError } from '#lib/errors/oauth-error.ts'
import type { Ports } from '#lib/ports/ports.ts'
import { isPublic } from '#lib/protocol/registration/client.ts'
import { requireRequested } from '../scopes/resolve-scopes.ts'
import { issueTokens } from '../token/issue-tokens.ts'
import { permitTokens } from '../token/permit.ts'
import { callValidateTokenRequestHook, type GrantAnswer, type GrantRequest, type GrantType } from './grant.ts'

/** Issues only an access token: there is no user to identify, and the client can always ask again. */
export const clientCredentialsGrant = {
  parameters: ['scope'],
  answer: actForItself,
} as const satisfies GrantType

async function actForItself(ports: Ports, request: GrantRequest): Promise<GrantAnswer> {
  const { client, checks } = request
  checks.begin('client_is_confidential')
  // TK-11: a client that cannot authenticate cannot act for itself
  if (isPublic(client)) throw new OauthError('public_client')
  const { granted, hasIdentity, isOffline } = await requireRequested(ports, request)
  checks.begin('scopes_fit_grant')
  if (hasIdentity) throw new OauthError('identity_scope')
  if (isOffline) throw new OauthError('offline_scope')
  const permit = await permitTokens(ports, request, { subject: null, granted })
  await callValidateTokenRequestHook(ports, request, permit)
  const issue = { permit, grant: null, idToken: null, refresh: { kind: 'none' } } as const
  return { response: await issueTokens(ports, issue, checks), grant: null }
}
