/** The scopes a token request may have. For a request with a user, `authorize` decides instead. */
import { OauthError } from '#lib/errors/oauth-error.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { ScopeName } from '#lib/protocol/ids.ts'
import type { Client } from '#lib/protocol/registration/client.ts'
import type { Scope } from '#lib/protocol/registration/scope.ts'
import { offlineScope, scopeWords } from '#lib/protocol/wire/scopes.ts'
import { allowedScopes, resolveScopes, scopeKinds } from '../scopes/resolve-scopes.ts'

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
  const registered = await registeredScopes(ports)
  const names = resolveScopes(words, { client, registered, namesScope: false })
  return {
    names,
    hasIdentity: scopeKinds(names, registered).has('identity'),
    isOffline: names.includes(offlineScope),
  }
}

/** Of these scopes, those the client may still have: TK-09, a grant gives no more than its client is allowed now. */
export async function stillAllowed(
  ports: Ports,
  client: Client,
  scopes: readonly ScopeName[],
): Promise<readonly ScopeName[]> {
  return allowedScopes(scopes, client, await registeredScopes(ports))
}

async function registeredScopes(ports: Pick<Ports, 'scopes'>): Promise<readonly Scope[]> {
  return (await ports.scopes.all()).map(entry => entry.scope)
}
