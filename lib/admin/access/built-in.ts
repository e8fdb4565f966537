/** The built-in client of the dashboard and the scope of its API. */

import { adminSession } from '#lib/config/limits.ts'
import type { RegisteredClient, RegisteredScope } from '#lib/ports/clients.ts'
import { adminScope } from '#lib/protocol/admin-role.ts'
import { ownClientFromMetadata } from '#lib/protocol/registration/client.ts'
import { scopeFromMetadata } from '#lib/protocol/registration/scope.ts'
import { ownUrl } from '#lib/protocol/wire/own-addresses.ts'

export const adminClientId = 'latchkey-admin'

/** The redirect URI of the dashboard's client. */
export function adminCallback(issuer: string): string {
  return ownUrl(issuer, '/admin/callback')
}

/** The client with which the dashboard signs its administrators in. */
export function builtInClient({
  issuer,
  siteName,
}: {
  readonly issuer: string
  readonly siteName: string
}): RegisteredClient {
  // NOTE: the redirect URI is below the issuer, which may be a URI that no client could register
  const client = ownClientFromMetadata({
    client_id: adminClientId,
    client_name: `${siteName} dashboard`,
    client_uri: ownUrl(issuer, '/admin'),
    token_endpoint_auth_method: 'none',
    redirect_uris: [adminCallback(issuer)],
    scope: 'openid',
    require_consent: false,
    access_token_type: 'reference',
    access_token_lifetime: adminSession.freshSignInSeconds,
  })
  return { client, secrets: [] }
}

/** The scope of the management API. */
export function builtInScope(): RegisteredScope {
  const scope = scopeFromMetadata({
    name: adminScope,
    kind: 'resource',
    display_name: 'Administer this service',
    description: 'With the rights that you have in the dashboard.',
    emphasize: true,
    show_in_discovery: false,
  })
  return { scope, secrets: [] }
}
