/** The scopes that always exist. A configuration may give them other texts, not another kind. */

import { adminScope } from './admin-role.ts'
import { unknownName } from './closest-name.ts'
import type { ScopeMetadata } from './scope-metadata.ts'

// OpenID Connect Core 5.4 and 11; `roles` as IdentityServer3 has it. That server emphasises `profile` and `email` too;
// but where every line is called sensitive, none is. Their texts come from the message catalogues.
export const standardScopes: readonly ScopeMetadata[] = [
  { name: 'openid', kind: 'identity', required: true, claims: ['sub'] },
  {
    name: 'profile',
    kind: 'identity',
    claims: [
      'name',
      'family_name',
      'given_name',
      'middle_name',
      'nickname',
      'preferred_username',
      'profile',
      'picture',
      'website',
      'gender',
      'birthdate',
      'zoneinfo',
      'locale',
      'updated_at',
    ],
  },
  { name: 'email', kind: 'identity', claims: ['email', 'email_verified'] },
  { name: 'phone', kind: 'identity', emphasize: true, claims: ['phone_number', 'phone_number_verified'] },
  { name: 'address', kind: 'identity', emphasize: true, claims: ['address'] },
  { name: 'roles', kind: 'identity', emphasize: true, claims: ['role'] },
  { name: 'offline_access', kind: 'resource' },
]

/** The standard scope of this name, if it is one. */
export function standardScope(name: string): ScopeMetadata | null {
  return standardScopes.find(scope => scope.name === name) ?? null
}

/** Why a client may not be registered for a scope that is not known, as the end of a sentence. */
export function unknownScope(word: string, known: ReadonlySet<string>): string {
  if (!word.split(',').some(part => known.has(part))) return unknownName(word, 'scope', known)
  return `"${word}" is not a known scope; put spaces between scopes, no commas`
}

/** What a client may be registered for: what this server knows by itself, and what was registered with it. */
export function knownScopes(registered: Iterable<string>): ReadonlySet<string> {
  return new Set([...standardScopes.map(({ name }) => name), adminScope, ...registered])
}
