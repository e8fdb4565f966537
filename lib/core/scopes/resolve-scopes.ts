/** The scopes that a client may have: the common rule of the authorization and the token endpoint. */
import type { Checks } from '#lib/errors/checks.ts'
import { OauthError } from '#lib/errors/oauth-error.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { GrantDetails } from '#lib/protocol/grant-details.ts'
import type { ScopeName } from '#lib/protocol/ids.ts'
import { type Client, isRegisteredFor } from '#lib/protocol/registration/client.ts'
import type { Scope } from '#lib/protocol/registration/scope.ts'
import type { ScopeKind } from '#lib/protocol/vocabulary.ts'
import type { Parameters } from '#lib/protocol/wire/parameters.ts'
import { isPlainScope, offlineScope, scopeWords } from '#lib/protocol/wire/scopes.ts'

export type ScopeRules = {
  readonly client: Client
  readonly registered: readonly Scope[]
  /** Whether a refusal may quote the sent scope, which the token endpoint never does (TK-18). */
  readonly namesScope: boolean
}

/**
 * Converts words to scope names, in their order. Throws `invalid_scope` for a word that is unknown, disabled or not
 * allowed.
 */
export function resolveScopes(words: readonly string[], rules: ScopeRules): readonly ScopeName[] {
  return words.map(word => resolveScope(word, rules))
}

/** Returns those of the scopes that the client may still have (TK-09). */
export function allowedScopes(
  names: readonly ScopeName[],
  client: Client,
  registered: readonly Scope[],
): readonly ScopeName[] {
  return names.filter(name =>
    name === offlineScope
      ? mayHaveOffline(client, registered)
      : isRegisteredFor(client, name) && registered.some(scope => scope.name === name && scope.enabled),
  )
}

/** Whether the client may have `offline_access`, which requests a refresh token. */
export function mayHaveOffline(client: Client, registered: readonly Scope[]): boolean {
  return whyWithoutOffline(client, registered) === null
}

/**
 * Returns the reason why the client may not have `offline_access`, or `null`: the client must be registered for it and
 * be allowed to refresh. The scope itself need not be registered; if it is, it must be enabled.
 */
export function whyWithoutOffline(client: Client, registered: readonly Scope[]): WithoutOffline | null {
  if (registered.find(scope => scope.name === offlineScope)?.enabled === false)
    return 'offline_access_disabled'
  if (!isRegisteredFor(client, offlineScope)) return 'offline_access_not_in_scope'
  return client.grantTypes.includes('refresh_token') ? null : 'offline_access_without_refresh_token'
}

export type WithoutOffline =
  | 'offline_access_disabled'
  | 'offline_access_not_in_scope'
  | 'offline_access_without_refresh_token'

/** Returns the kinds of the scopes; `offline_access` has none. */
export function scopeKinds(
  names: readonly ScopeName[],
  registered: readonly Scope[],
): ReadonlySet<ScopeKind> {
  const found = registered.filter(({ name }) => name !== offlineScope && names.includes(name))
  return new Set(found.map(({ kind }) => kind))
}

function resolveScope(word: string, rules: ScopeRules): ScopeName {
  const { client, registered } = rules
  if (word === offlineScope && mayHaveOffline(client, registered)) return offlineScope
  const found = registered.find(scope => scope.name === word)
  const isKnown = found === undefined ? word === offlineScope : found.enabled
  if (!isKnown) throw refusal(word, rules, 'scope_unknown')
  if (found !== undefined && word !== offlineScope && isRegisteredFor(client, found.name)) return found.name
  throw refusal(word, rules, 'scope_not_allowed')
}

function refusal(
  word: string,
  { client, namesScope }: ScopeRules,
  reason: 'scope_unknown' | 'scope_not_allowed',
): OauthError {
  const name = namesScope && isPlainScope(word) ? word : null
  const evidence = { sent: word, expected: client.scopes }
  return new OauthError(reason, { description: descriptions[reason](name), evidence })
}

const descriptions = {
  scope_unknown: (name: string | null) =>
    name === null ? 'scope contains a name that is not known here.' : `scope ${name} is not known here.`,
  scope_not_allowed: (name: string | null) =>
    name === null
      ? 'scope contains a name this client may not have.'
      : `scope ${name} is not allowed for this client.`,
}

/** The requested authorization of a token request that has no stored grant yet. */
export type Requested = {
  /** The granted scopes in alphabetical order, as IdentityServer3 writes them into tokens. */
  readonly granted: GrantDetails
  readonly hasIdentity: boolean
  readonly isOffline: boolean
}

type ScopeRequest = { readonly client: Client; readonly parameters: Parameters; readonly checks: Checks }

/**
 * Returns the requested scopes. Throws `invalid_scope` when there is no scope, or one is unknown, disabled or not
 * allowed for the client.
 */
export async function requireRequested(
  ports: Ports,
  { client, parameters, checks }: ScopeRequest,
): Promise<Requested> {
  checks.begin('scopes_allowed')
  const words = [...scopeWords(parameters.one('scope') ?? '')].sort()
  if (words.length === 0) throw new OauthError('token_scope_missing')
  const registered = await registeredScopes(ports)
  const names = resolveScopes(words, { client, registered, namesScope: false })
  return {
    granted: { scopes: names },
    hasIdentity: scopeKinds(names, registered).has('identity'),
    isOffline: names.includes(offlineScope),
  }
}

/**
 * Returns the part of a grant that a token request asks for: all of it, or less if it asks for less (RFC 6749 6).
 * Throws `invalid_scope` when it asks for more.
 */
export function narrowToRequest(granted: GrantDetails, parameters: Parameters): GrantDetails {
  const words = scopeWords(parameters.one('scope') ?? '')
  if (words.length === 0) return granted
  const scopes = granted.scopes.filter(name => words.includes(name))
  if (scopes.length < words.length) throw new OauthError('scope_not_granted')
  return { ...granted, scopes }
}

/** Returns all registered scopes, including disabled ones. */
export function registeredScopes(ports: Pick<Ports, 'scopes'>): Promise<readonly Scope[]> {
  return ports.scopes.all().then(registered => registered.map(({ scope }) => scope))
}
