/** Searches clients, users, scopes and identity providers by the beginnings of their names. */
import { adminList } from '#lib/config/limits.ts'
import type { AdminLists } from '#lib/ports/admin-lists.ts'
import type { AdminRole } from '#lib/protocol/admin-role.ts'
import { scopeMetadataSchema } from '#lib/protocol/registration/scope.ts'
import { may, type Permission } from '../access/permissions.ts'

export type SearchResult = {
  readonly kind: 'client' | 'user' | 'scope' | 'provider'
  readonly id: string
  readonly name: string
  /** What distinguishes it from similar results: an ID, a user name. */
  readonly note: string
  /** Whether the text is exactly one of its names. */
  readonly isExact: boolean
}

type Search = { readonly role: AdminRole; readonly text: string; readonly now: Date }
type Source = (lists: AdminLists, text: string, now: Date) => Promise<readonly SearchResult[]>

/** Each kind with the permission to see it: a role finds only what it may read. */
const sources: readonly (readonly [Permission, Source])[] = [
  ['clients:read', clients],
  ['users:read', users],
  ['scopes:read', scopes],
  ['providers:read', providers],
]

/** The first few of each kind, in the order of their lists; nothing for an empty text. */
export async function searchAdmin(
  { adminLists }: { readonly adminLists: AdminLists },
  { role, text, now }: Search,
): Promise<readonly SearchResult[]> {
  const searched = text.trim()
  if (searched === '') return []
  const allowed = sources.filter(([permission]) => may(role, permission))
  return (await Promise.all(allowed.map(([, source]) => source(adminLists, searched, now)))).flat()
}

/** The only exact match, or else the only match; `null` when there are several or none. */
export function onlyMatch(results: readonly SearchResult[]): SearchResult | null {
  const exact = results.filter(({ isExact }) => isExact)
  const [first, ...others] = exact.length === 0 ? results : exact
  return first !== undefined && others.length === 0 ? first : null
}

async function clients(lists: AdminLists, text: string, now: Date): Promise<readonly SearchResult[]> {
  const filter = { search: text, kind: null, enabled: null }
  const { items } = await lists.clients(filter, { after: null, limit: adminList.found }, now)
  return items.map(({ clientId: id, name }) => ({
    kind: 'client',
    id,
    name,
    note: id,
    isExact: isAmong(text, [id]),
  }))
}

async function users(lists: AdminLists, text: string): Promise<readonly SearchResult[]> {
  const filter = { search: text, enabled: null }
  const { items } = await lists.users(filter, { after: null, limit: adminList.found })
  return items.map(({ subject: id, username, name, email }) => ({
    kind: 'user',
    id,
    name: name ?? username,
    note: email === null ? username : `${username}, ${email}`,
    isExact: isAmong(text, [id, username, email]),
  }))
}

async function scopes(lists: AdminLists, text: string): Promise<readonly SearchResult[]> {
  return (await lists.scopes())
    .map(({ metadata }) => scopeMetadataSchema.parse(metadata))
    .filter(({ name, display_name: title }) => startsAny(text, [name, title ?? null]))
    .slice(0, adminList.found)
    .map(({ name, display_name: title }) => ({
      kind: 'scope',
      id: name,
      name,
      note: title ?? '',
      isExact: isAmong(text, [name]),
    }))
}

async function providers(lists: AdminLists, text: string): Promise<readonly SearchResult[]> {
  return (await lists.providers())
    .filter(({ scheme, displayName, issuer }) => startsAny(text, [scheme, displayName, issuer]))
    .slice(0, adminList.found)
    .map(({ scheme, displayName, issuer }) => ({
      kind: 'provider',
      id: scheme,
      name: displayName,
      note: issuer,
      isExact: isAmong(text, [scheme, issuer]),
    }))
}

function isAmong(text: string, names: readonly (string | null)[]): boolean {
  return names.some(name => name?.toLowerCase() === text.toLowerCase())
}

function startsAny(text: string, names: readonly (string | null)[]): boolean {
  return names.some(name => name?.toLowerCase().startsWith(text.toLowerCase()))
}
