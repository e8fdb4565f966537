/** The scopes a token request may have. Where a person is asked, `authorize` decides instead. */
import { OauthError } from '#lib/errors/oauth-error.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { Client } from '#lib/protocol/client.ts'
import type { ScopeName } from '#lib/protocol/ids.ts'
import { offlineScope } from '#lib/protocol/requested-scopes.ts'
import { type Scope, scopeWords } from '#lib/protocol/scope.ts'

export type RequestedScopes = {
  /** In alphabetical order, as IdentityServer3 puts them into tokens. */
  readonly names: readonly ScopeName[]
  readonly hasIdentity: boolean
  readonly isOffline: boolean
}

/** Throws `invalid_scope` when there are none, or one is unknown, disabled or not allowed for the client. */
export async function requestedScopes(
  ports: Ports,
  client: Client,
  /** As sent; `null`: absent. */
  scope: string | null,
): Promise<RequestedScopes> {
  const words = [...scopeWords(scope ?? '')].sort()
  if (words.length === 0) throw new OauthError('token_scope_missing')
  const allowed = await allowedScopes(ports, client)
  const names = words.map(word => allowedName(word, allowed))
  return {
    names,
    hasIdentity: allowed.some(scope => scope.kind === 'identity' && names.includes(scope.name)),
    isOffline: names.includes(offlineScope),
  }
}

/** Of these scopes, those the client may still have: TK-09, a grant gives no more than its client is allowed now. */
export async function stillAllowed(
  ports: Ports,
  client: Client,
  scopes: readonly ScopeName[],
): Promise<readonly ScopeName[]> {
  const allowed = new Set((await allowedScopes(ports, client)).map(scope => scope.name))
  return scopes.filter(name => allowed.has(name))
}

type AllowedScope = Pick<Scope, 'name' | 'kind'>

async function allowedScopes(ports: Ports, client: Client): Promise<readonly AllowedScope[]> {
  const registered = (await ports.scopes.all()).map(entry => entry.scope)
  const usable = registered.filter(scope => isUsable(scope, client))
  return mayHaveOffline(client, registered) ? [...usable, { name: offlineScope, kind: 'resource' }] : usable
}

function isUsable(scope: Scope, client: Client): boolean {
  return scope.enabled && scope.name !== offlineScope && client.scopes.includes(scope.name)
}

// Offline access is a wish for a refresh token: it needs no registration, but a client that may refresh.
function mayHaveOffline(client: Client, registered: readonly Scope[]): boolean {
  const isEnabled = registered.find(scope => scope.name === offlineScope)?.enabled ?? true
  return isEnabled && client.scopes.includes(offlineScope) && client.grantTypes.includes('refresh_token')
}

function allowedName(word: string, allowed: readonly AllowedScope[]): ScopeName {
  const found = allowed.find(scope => scope.name === word)
  if (found === undefined) {
    const evidence = { sent: word, expected: allowed.map(scope => scope.name) }
    throw new OauthError('scope_refused', { evidence })
  }
  return found.name
}
