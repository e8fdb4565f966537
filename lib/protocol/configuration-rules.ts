/** Rules that tie the parts of a configuration to each other: names that repeat, and names that lead nowhere. */
import type { z } from 'zod'
import { unknownName } from './closest-name.ts'
import { scopeWords } from './scope.ts'
import { standardScope, standardScopes } from './standard-scopes.ts'
import { canonicalUsername } from './username.ts'

/** What the rules look at. */
type Parts = {
  readonly clients: ReadonlyArray<{
    readonly client_id: string
    readonly scope: string
    readonly identity_provider_restrictions: readonly string[]
  }>
  readonly scopes: ReadonlyArray<{ readonly name: string; readonly kind: string }>
  readonly users: ReadonlyArray<{ readonly username: string; readonly sub?: string | undefined }>
  readonly identity_providers: ReadonlyArray<{ readonly scheme: string; readonly domains: readonly string[] }>
}

type Path = ReadonlyArray<string | number>
type Named = { readonly name: string; readonly path: Path }
type Report = (path: Path, message: string) => void

/** Adds one issue for every repeated name and every name that nothing answers to. */
export function checkReferences(parts: Parts, context: z.core.$RefinementCtx): void {
  const report: Report = (path, message) => context.addIssue({ code: 'custom', path: [...path], message })
  for (const names of uniqueNames(parts)) reportRepeated(names, report)
  checkStandardScopes(parts, report)
  checkClientScopes(parts, report)
  checkRestrictions(parts, report)
}

function uniqueNames({
  clients,
  scopes,
  users,
  identity_providers: providers,
}: Parts): ReadonlyArray<readonly Named[]> {
  const clientIds = clients.map((client, index) => ({
    name: client.client_id,
    path: ['clients', index, 'client_id'],
  }))
  const subjects = users.flatMap(({ sub }, index) =>
    sub === undefined ? [] : [{ name: sub, path: ['users', index, 'sub'] }],
  )
  return [
    // Together, because a token's `sub` can be either (RFC 9700 4.15).
    [...clientIds, ...subjects],
    scopes.map((scope, index) => ({ name: scope.name, path: ['scopes', index, 'name'] })),
    users.map((user, index) => ({
      name: canonicalUsername(user.username),
      path: ['users', index, 'username'],
    })),
    providers.map((provider, index) => ({
      name: provider.scheme,
      path: ['identity_providers', index, 'scheme'],
    })),
    providers.flatMap(({ domains }, index) =>
      domains.map((domain, at) => ({
        name: domain.toLowerCase(),
        path: ['identity_providers', index, 'domains', at],
      })),
    ),
  ]
}

function reportRepeated(names: readonly Named[], report: Report): void {
  const seen = new Set<string>()
  for (const { name, path } of names) {
    if (seen.has(name)) report(path, `"${name}" is used twice`)
    seen.add(name)
  }
}

function checkStandardScopes({ scopes }: Parts, report: Report): void {
  for (const [index, scope] of scopes.entries()) {
    const standard = standardScope(scope.name)
    if (standard === null || standard.kind === scope.kind) continue
    report(['scopes', index, 'kind'], `must be "${standard.kind}": "${scope.name}" is a standard scope`)
  }
}

function checkClientScopes({ clients, scopes }: Parts, report: Report): void {
  const known = new Set([...standardScopes, ...scopes].map(scope => scope.name))
  for (const [index, client] of clients.entries()) {
    for (const word of scopeWords(client.scope).filter(name => !known.has(name))) {
      report(['clients', index, 'scope'], unknownName(word, 'scope', known))
    }
  }
}

function checkRestrictions({ clients, identity_providers: providers }: Parts, report: Report): void {
  const known = new Set(providers.map(provider => provider.scheme))
  for (const [index, client] of clients.entries()) {
    for (const [at, scheme] of client.identity_provider_restrictions.entries()) {
      if (known.has(scheme)) continue
      report(
        ['clients', index, 'identity_provider_restrictions', at],
        unknownName(scheme, 'identity provider', known),
      )
    }
  }
}
