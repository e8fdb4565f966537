/** `grant_type=client_credentials`: the client acts for itself (RFC 6749 4.4). */
import { OauthError } from '#lib/errors/oauth-error.ts'
import type { Ports } from '#lib/ports/ports.ts'
import { isPublic } from '#lib/protocol/registration/client.ts'
import { requestedScopes } from '../scopes/resolve-scopes.ts'
import { issueTokens } from '../token/response.ts'
import type { GrantAnswer, GrantRequest } from './grant-request.ts'

/** An access token and nothing else: nobody is there to be identified, and the client can always ask again. */
export async function grantByClientCredentials(
  ports: Ports,
  { client, request }: GrantRequest<'client_credentials'>,
): Promise<GrantAnswer> {
  // TK-11: who cannot prove who it is cannot act for itself
  if (isPublic(client)) throw new OauthError('public_client')
  const scopes = await requestedScopes(ports, client, request.scope)
  if (scopes.hasIdentity) throw new OauthError('identity_scope')
  if (scopes.isOffline) throw new OauthError('offline_scope')
  const response = await issueTokens(ports, {
    client,
    grant: null,
    scopes: scopes.names,
    identity: null,
    refresh: { kind: 'none' },
  })
  return { response, grant: null }
}
