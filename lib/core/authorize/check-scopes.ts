/** Checks the requested scopes. */
import { OauthError } from '#lib/errors/oauth-error.ts'
import type { AuthorizeParameters } from '#lib/protocol/authorize-params.ts'
import type { Client } from '#lib/protocol/client.ts'
import type { ScopeName } from '#lib/protocol/ids.ts'
import { isPlainScope, offlineScope, openidScope } from '#lib/protocol/requested-scopes.ts'
import { type Scope, scopeWords } from '#lib/protocol/scope.ts'
import type { ResponseType, ScopeKind } from '#lib/protocol/vocabulary.ts'

type ScopeInput = {
  readonly raw: AuthorizeParameters
  readonly client: Client
  /** All registered ones. */
  readonly scopes: readonly Scope[]
}

/** Every scope is known, enabled and allowed for the client; `offline_access` is left out where it cannot be had. */
export function readScopes(input: ScopeInput): readonly ScopeName[] {
  if (input.raw.scope === undefined)
    throw new OauthError('invalid_request', 'scope_missing', 'scope is missing.')
  const words = scopeWords(input.raw.scope).filter(word => word !== offlineScope || mayHaveOffline(input))
  if (words.length === 0)
    throw new OauthError('invalid_scope', 'scope_empty', 'scope names nothing this client may have.')
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
  if (type.includes('id_token') && !hasOpenid) {
    throw new OauthError(
      'invalid_request',
      'openid_missing',
      `scope must contain openid for response_type ${type}.`,
    )
  }
  if (type === 'token' && kinds.has('identity')) {
    throw new OauthError(
      'invalid_scope',
      'identity_scope_with_token',
      'scope may hold resource scopes only for response_type token.',
    )
  }
  if (type === 'id_token' && kinds.has('resource')) {
    throw new OauthError(
      'invalid_scope',
      'resource_scope_with_id_token',
      'scope may hold identity scopes only for response_type id_token.',
    )
  }
  if (kinds.has('identity') && !hasOpenid) {
    throw new OauthError(
      'invalid_scope',
      'identity_scope_without_openid',
      'scope must contain openid when it holds identity scopes.',
    )
  }
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
    throw new OauthError('invalid_scope', 'scope_unknown', description, null, evidence)
  }
  if (!client.scopes.includes(found.name)) {
    const description = `scope ${found.name} is not allowed for this client.`
    throw new OauthError('invalid_scope', 'scope_not_allowed', description, null, evidence)
  }
  return found
}

function kindsOf(names: readonly ScopeName[], registered: readonly Scope[]): ReadonlySet<ScopeKind> {
  const asked = registered.filter(({ name }) => name !== offlineScope && names.includes(name))
  return new Set(asked.map(({ kind }) => kind))
}
