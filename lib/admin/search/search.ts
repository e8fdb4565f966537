/** Searches clients, users, scopes and identity providers by the beginnings of names and other identifiers. */
import { adminList } from '#lib/config/limits.ts'
import type { AdminLists } from '#lib/ports/admin-lists.ts'
import type { AdminRole } from '#lib/protocol/admin-role.ts'
import { scopeMetadataSchema } from '#lib/protocol/registration/scope.ts'
import { may, type Permission } from '../access/permissions.ts'

export type SearchResult = {
  readonly kind: 'client' | 'user' | 'scope' | 'provider'
  readonly id: string
  readonly name: string
  /**
   * Distinguishes the result from similar ones: the client ID, the user name and email, the display name of a scope, or
   * the issuer.
   */
  readonly note: string
  /** Whether the searched text is one of the object's unique names, upper and lower case ignored. */
  readonly isExact: boolean
}

type Search = { readonly role: AdminRole; readonly text: string; readonly now: Date }
/** A result with the object's unique names, which can match exactly. */
type Found = Omit<SearchResult, 'kind' | 'isExact'> & { readonly names: readonly (string | null)[] }
type Source = (lists: AdminLists, text: string, now: Date) => Promise<readonly Found[]>

/**
 * The search function for each kind of object, and the permission that it requires. A role finds only what it may read.
 */
const sources: readonly (readonly [SearchResult['kind'], Permission, Source])[] = [
  ['client', 'clients:read', clients],
  ['user', 'users:read', users],
  ['scope', 'scopes:read', scopes],
  ['provider', 'providers:read', providers],
]

/** Finds the first few of each kind, in the order of their lists. An empty text finds nothing. */
export async function searchAdmin(
  { adminLists }: { readonly adminLists: AdminLists },
  { role, text, now }: Search,
): Promise<readonly SearchResult[]> {
  const searched = text.trim()
  if (searched === '') return []
  const allowed = sources.filter(([, permission]) => may(role, permission))
  const results = allowed.map(async ([kind, , source]) =>
    (await source(adminLists, searched, now)).map(({ names, ...found }) => ({
      ...found,
      kind,
      isExact: isAmong(searched, names),
    })),
  )
  return (await Promise.all(results)).flat()
}

/** The only exact match, or the only match if there is no exact one; otherwise `null`. */
export function onlyMatch(results: readonly SearchResult[]): SearchResult | null {
  const exact = results.filter(({ isExact }) => isExact)
  const [first, ...others] = exact.length === 0 ? results : exact
  return first !== undefined && others.length === 0 ? first : null
}

async function clients(lists: AdminLists, text: string, now: Date): Promise<readonly Found[]> {
  const filter = { search: text, kind: null, enabled: null }
  const { items } = await lists.clients(filter, { after: null, limit: adminList.found }, now)
  return items.map(({ clientId: id, name }) => ({ id, name, note: id, names: [id] }))
}

async function users(lists: AdminLists, text: string): Promise<readonly Found[]> {
  const filter = { search: text, enabled: null }
  const { items } = await lists.users(filter, { after: null, limit: adminList.found })
  return items.map(({ subject: id, username, name, email }) => {
    const note = email === null ? username : `${username}, ${email}`
    return { id, name: name ?? username, note, names: [id, username, email] }
  })
}

async function scopes(lists: AdminLists, text: string): Promise<readonly Found[]> {
  return (await lists.scopes())
    .map(({ metadata }) => scopeMetadataSchema.parse(metadata))
    .filter(({ name, display_name: title }) => startsAny(text, [name, title]))
    .slice(0, adminList.found)
    .map(({ name, display_name: title }) => ({ id: name, name, note: title ?? '', names: [name] }))
}

async function providers(lists: AdminLists, text: string): Promise<readonly Found[]> {
  return (await lists.providers())
    .filter(({ scheme, displayName, issuer }) => startsAny(text, [scheme, displayName, issuer]))
    .slice(0, adminList.found)
    .map(({ scheme: id, displayName: name, issuer }) => ({ id, name, note: issuer, names: [id, issuer] }))
}

function isAmong(text: string, names: readonly (string | null)[]): boolean {
  return names.some(name => name?.toLowerCase() === text.toLowerCase())
}

function startsAny(text: string, names: readonly (string | null)[]): boolean {
  return names.some(name => name?.toLowerCase().startsWith(text.toLowerCase()))
}
