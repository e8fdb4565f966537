/** Checks the requested scopes. */
import { OauthError } from '#lib/errors/oauth-error.ts'
import type { ScopeName } from '#lib/protocol/ids.ts'
import type { Client } from '#lib/protocol/registration/client.ts'
import type { Scope } from '#lib/protocol/registration/scope.ts'
import type { ResponseType } from '#lib/protocol/vocabulary.ts'
import type { AuthorizeParameters } from '#lib/protocol/wire/authorize-params.ts'
import { offlineScope, openidScope, scopeWords } from '#lib/protocol/wire/scopes.ts'
import { mayHaveOffline, resolveScopes, scopeKinds } from '../scopes/resolve-scopes.ts'
import { sent } from './evidence.ts'

type ScopeInput = {
  readonly raw: AuthorizeParameters
  readonly client: Client
  /** All registered ones. */
  readonly scopes: readonly Scope[]
}

/** Every scope is known, enabled and allowed for the client; `offline_access` is left out where no refresh token can follow. */
export function readScopes({ raw, client, scopes: registered }: ScopeInput): readonly ScopeName[] {
  if (raw.scope === undefined)
    throw new OauthError('scope_missing', { evidence: sent(undefined, client.scopes) })
  // OpenID Connect Core 11: ignored unless a code, and so a refresh token, can follow
  const hasOffline = raw.response_type === 'code' && mayHaveOffline(client, registered)
  const words = scopeWords(raw.scope).filter(word => word !== offlineScope || hasOffline)
  if (words.length === 0) throw new OauthError('scope_empty', { evidence: sent(raw.scope, client.scopes) })
  return resolveScopes(words, { client, registered, namesScope: true })
}

/** What the response type allows: `token` only resources, `id_token` only identity, which needs `openid`. */
export function requireFittingScopes(
  names: readonly ScopeName[],
  registered: readonly Scope[],
  type: ResponseType,
): void {
  const kinds = scopeKinds(names, registered)
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
