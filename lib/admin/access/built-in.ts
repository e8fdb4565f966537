/** The built-in client of the dashboard and the scope of its API. */

import { adminSession } from '#lib/config/limits.ts'
import type { Clients, RegisteredClient, RegisteredScope, Scopes } from '#lib/ports/clients.ts'
import { adminScope } from '#lib/protocol/admin-role.ts'
import { ownClientFromMetadata } from '#lib/protocol/registration/client.ts'
import { scopeFromMetadata } from '#lib/protocol/registration/scope.ts'
import { ownUrl } from '#lib/protocol/wire/own-addresses.ts'

export const adminClientId = 'latchkey-admin'

/** The one redirect URI of the dashboard. */
export function adminCallback(issuer: string): string {
  return ownUrl(issuer, '/admin/callback')
}

type Registered = { readonly clients: Clients; readonly scopes: Scopes }

/** The registrations with the built-in ones, which no configuration can change or delete. */
export function withBuiltIns(
  { clients, scopes }: Registered,
  settings: { readonly issuer: string; readonly siteName: string },
): Registered {
  const client = builtInClient(settings)
  const scope = builtInScope()
  const withOwn = onceForEachList((registered: readonly RegisteredScope[]) => [
    ...registered.filter(({ scope: { name } }) => name !== adminScope),
    scope,
  ])
  return {
    clients: {
      ...clients,
      find: clientId =>
        clientId === client.client.clientId ? Promise.resolve(client) : clients.find(clientId),
    },
    scopes: {
      all: () => scopes.all().then(withOwn),
      find: name => (name === scope.scope.name ? Promise.resolve(scope) : scopes.find(name)),
    },
  }
}

/** The store returns the same list until a registration changes. */
function onceForEachList<List extends object, Made>(make: (list: List) => Made): (list: List) => Made {
  const made = new WeakMap<List, Made>()
  return list => {
    const known = made.get(list) ?? make(list)
    made.set(list, known)
    return known
  }
}

function builtInClient({
  issuer,
  siteName,
}: {
  readonly issuer: string
  readonly siteName: string
}): RegisteredClient {
  // NOTE: its redirect URI is below the issuer, which may be a URI that no client could register
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

function builtInScope(): RegisteredScope {
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
