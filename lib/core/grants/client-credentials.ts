/** `grant_type=client_credentials`: the client acts for itself (RFC 6749 4.4). */
import { OauthError } from '#lib/errors/oauth-error.ts'
import type { Ports } from '#lib/ports/ports.ts'
import { isPublic } from '#lib/protocol/registration/client.ts'
import { requireRequested } from '../scopes/resolve-scopes.ts'
import { issueTokens } from '../token/issue-tokens.ts'
import { callValidateTokenRequestHook, type GrantAnswer, type GrantRequest, type GrantType } from './grant.ts'

/** An access token only: there is no user to identify, and the client can always ask again. */
export const clientCredentialsGrant = {
  parameters: ['scope'],
  checks: ['client_is_confidential', 'scopes_allowed', 'scopes_fit_grant'],
  answer: actForItself,
} as const satisfies GrantType

async function actForItself(ports: Ports, { client, parameters }: GrantRequest): Promise<GrantAnswer> {
  // TK-11: a client that cannot authenticate cannot act for itself
  if (isPublic(client)) throw new OauthError('public_client')
  const { granted, hasIdentity, isOffline } = await requireRequested(ports, client, parameters)
  if (hasIdentity) throw new OauthError('identity_scope')
  if (isOffline) throw new OauthError('offline_scope')
  await callValidateTokenRequestHook(ports, { client, scopes: granted.scopes, subject: null, parameters })
  const issue = {
    client,
    grantType: 'client_credentials',
    grant: null,
    granted,
    idToken: null,
    refresh: { kind: 'none' },
  } as const
  return { response: await issueTokens(ports, issue), grant: null }
}
