/** What an admin may mean by a few letters: a client, a person, a scope, a provider. */
import { adminList } from '#lib/config/limits.ts'
import type { AdminLists } from '#lib/ports/admin-lists.ts'
import type { AdminRole } from '#lib/protocol/admin-role.ts'
import { scopeMetadataSchema } from '#lib/protocol/registration/scope.ts'
import { may, type Permission } from '../access/permissions.ts'

export type Place = {
  readonly kind: 'client' | 'user' | 'scope' | 'provider'
  readonly id: string
  readonly name: string
  /** What distinguishes it from similar results: an id, a user name. */
  readonly note: string
  /** Whether the text is exactly one of its names, so that nothing else is meant. */
  readonly isNamed: boolean
}

type Asked = { readonly role: AdminRole; readonly text: string; readonly now: Date }
type Source = (lists: AdminLists, text: string, now: Date) => Promise<readonly Place[]>

/** Every kind with what it takes to see it: what an admin may not read is not found either. */
const sources: readonly (readonly [Permission, Source])[] = [
  ['clients:read', clients],
  ['users:read', users],
  ['scopes:read', scopes],
  ['providers:read', providers],
]

/** The first few of each kind, in the order of their lists; nothing for an empty text. */
export async function find(
  { adminLists }: { readonly adminLists: AdminLists },
  { role, text, now }: Asked,
): Promise<readonly Place[]> {
  const searched = text.trim()
  if (searched === '') return []
  const allowed = sources.filter(([permission]) => may(role, permission))
  return (await Promise.all(allowed.map(([, source]) => source(adminLists, searched, now)))).flat()
}

/** The one place that can be meant; `null` when there are several, or none. */
export function onlyPlace(places: readonly Place[]): Place | null {
  const named = places.filter(({ isNamed }) => isNamed)
  const [first, ...others] = named.length === 0 ? places : named
  return first !== undefined && others.length === 0 ? first : null
}

async function clients(lists: AdminLists, text: string, now: Date): Promise<readonly Place[]> {
  const filter = { search: text, kind: null, enabled: null }
  const { items } = await lists.clients(filter, { after: null, limit: adminList.found }, now)
  return items.map(({ clientId: id, name }) => ({
    kind: 'client',
    id,
    name,
    note: id,
    isNamed: isAmong(text, [id]),
  }))
}

async function users(lists: AdminLists, text: string): Promise<readonly Place[]> {
  const filter = { search: text, enabled: null }
  const { items } = await lists.users(filter, { after: null, limit: adminList.found })
  return items.map(({ subject: id, username, name, email }) => ({
    kind: 'user',
    id,
    name: name ?? username,
    note: email === null ? username : `${username}, ${email}`,
    isNamed: isAmong(text, [id, username, email]),
  }))
}

async function scopes(lists: AdminLists, text: string): Promise<readonly Place[]> {
  return (await lists.scopes())
    .map(({ metadata }) => scopeMetadataSchema.parse(metadata))
    .filter(({ name, display_name: title }) => isBegun(text, [name, title ?? null]))
    .slice(0, adminList.found)
    .map(({ name, display_name: title }) => ({
      kind: 'scope',
      id: name,
      name,
      note: title ?? '',
      isNamed: isAmong(text, [name]),
    }))
}

async function providers(lists: AdminLists, text: string): Promise<readonly Place[]> {
  return (await lists.providers())
    .filter(({ scheme, displayName, issuer }) => isBegun(text, [scheme, displayName, issuer]))
    .slice(0, adminList.found)
    .map(({ scheme, displayName, issuer }) => ({
      kind: 'provider',
      id: scheme,
      name: displayName,
      note: issuer,
      isNamed: isAmong(text, [scheme, issuer]),
    }))
}

function isAmong(text: string, names: readonly (string | null)[]): boolean {
  return names.some(name => name?.toLowerCase() === text.toLowerCase())
}

function isBegun(text: string, names: readonly (string | null)[]): boolean {
  return names.some(name => name?.toLowerCase().startsWith(text.toLowerCase()))
}
