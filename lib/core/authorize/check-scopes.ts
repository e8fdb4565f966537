/** Checks the requested scopes. */
import { OauthError } from '#lib/errors/oauth-error.ts'
import type { AuthorizeParameters } from '#lib/protocol/authorize-params.ts'
import type { Client } from '#lib/protocol/client.ts'
import type { ScopeName } from '#lib/protocol/ids.ts'
import { isPlainScope, offlineScope, openidScope } from '#lib/protocol/requested-scopes.ts'
import { type Scope, scopeWords } from '#lib/protocol/scope.ts'
import type { ResponseType, ScopeKind } from '#lib/protocol/vocabulary.ts'
import { sent } from './evidence.ts'

type ScopeInput = {
  readonly raw: AuthorizeParameters
  readonly client: Client
  /** All registered ones. */
  readonly scopes: readonly Scope[]
}

/** Every scope is known, enabled and allowed for the client; `offline_access` is left out where it cannot be had. */
export function readScopes(input: ScopeInput): readonly ScopeName[] {
  if (input.raw.scope === undefined)
    throw new OauthError('scope_missing', { evidence: sent(undefined, input.client.scopes) })
  const words = scopeWords(input.raw.scope).filter(word => word !== offlineScope || mayHaveOffline(input))
  if (words.length === 0)
    throw new OauthError('scope_empty', { evidence: sent(input.raw.scope, input.client.scopes) })
  return words.map(word => (word === offlineScope ? offlineScope : findAllowed(word, input).name))
}

/** What the response type allows: `token` only resources, `id_token` only identity, which needs `openid`. */
export function requireFittingScopes(
  names: readonly ScopeName[],
  registered: readonly Scope[],
  type: ResponseType,
): void {
  const kinds = kindsOf(names, registered)
  const hasOpenid = names.includes(openidScope)
  const evidence = sent(names.join(' '))
  if (type.includes('id_token') && !hasOpenid) {
    const description = `scope must contain openid for response_type ${type}.`
    throw new OauthError('openid_missing', { description, evidence })
  }
  if (type === 'token' && kinds.has('identity'))
    throw new OauthError('identity_scope_with_token', { evidence })
  if (type === 'id_token' && kinds.has('resource'))
    throw new OauthError('resource_scope_with_id_token', { evidence })
  if (kinds.has('identity') && !hasOpenid) throw new OauthError('identity_scope_without_openid', { evidence })
}

// OpenID Connect Core 11: ignored unless a code, and so a refresh token, can follow
function mayHaveOffline({ raw, client, scopes }: ScopeInput): boolean {
  if (raw.response_type !== 'code' || !client.grantTypes.includes('refresh_token')) return false
  const isEnabled = scopes.find(scope => scope.name === offlineScope)?.enabled ?? true
  return isEnabled && client.scopes.includes(offlineScope)
}

function findAllowed(word: string, { client, scopes }: ScopeInput): Scope {
  const found = scopes.find(scope => scope.name === word)
  const evidence = { sent: word, expected: client.scopes }
  if (found === undefined || !found.enabled) {
    const description = isPlainScope(word)
      ? `scope ${word} is not known here.`
      : 'scope contains a name that is not known here.'
    throw new OauthError('scope_unknown', { description, evidence })
  }
  if (!client.scopes.includes(found.name)) {
    const description = `scope ${found.name} is not allowed for this client.`
    throw new OauthError('scope_not_allowed', { description, evidence })
  }
  return found
}

function kindsOf(names: readonly ScopeName[], registered: readonly Scope[]): ReadonlySet<ScopeKind> {
  const asked = registered.filter(({ name }) => name !== offlineScope && names.includes(name))
  return new Set(asked.map(({ kind }) => kind))
}
