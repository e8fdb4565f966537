/** The default registrations of tests of the core. */
import type { Client } from '#lib/protocol/registration/client.ts'
import { type ClientMetadata, clientFromMetadata } from '#lib/protocol/registration/client.ts'
import type { Scope } from '#lib/protocol/registration/scope.ts'
import { type ScopeMetadata, scopeFromMetadata } from '#lib/protocol/registration/scope.ts'

export const testScopeMetadata: readonly ScopeMetadata[] = [
  { name: 'openid', kind: 'identity', required: true, claims: ['sub'] },
  { name: 'profile', kind: 'identity', claims: ['name', 'given_name', 'family_name'] },
  { name: 'roles', kind: 'identity', claims: ['role'] },
  { name: 'api', kind: 'resource', claims: ['role'] },
  { name: 'api.write', kind: 'resource', emphasize: true },
  { name: 'retired', kind: 'resource', enabled: false },
]

export const testScopes: readonly Scope[] = testScopeMetadata.map(scopeFromMetadata)

/** A confidential client that may request everything through a browser, with PKCE optional and no consent. */
export const testClientMetadata = {
  client_id: 'web',
  client_name: 'Web App',
  redirect_uris: ['https://app.example/callback'],
  post_logout_redirect_uris: ['https://app.example/bye'],
  grant_types: ['authorization_code', 'implicit', 'refresh_token'],
  response_types: [
    'code',
    'token',
    'id_token',
    'id_token token',
    'code id_token',
    'code token',
    'code id_token token',
    'none',
  ],
  scope: 'openid profile roles api api.write retired offline_access',
  pkce: 'optional',
  require_consent: false,
} satisfies ClientMetadata

/** The metadata of a machine client. */
export const testMachine = {
  grant_types: ['client_credentials'],
  response_types: [],
  scope: 'api',
} satisfies Partial<ClientMetadata>

export function testClient(changes: Partial<ClientMetadata> = {}): Client {
  return clientFromMetadata({ ...testClientMetadata, ...changes })
}
