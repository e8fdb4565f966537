/** The addresses of the pages of the dashboard. */
import type { AuditRow } from '#lib/ports/admin-store.ts'

export type ResourceArea = 'clients' | 'scopes' | 'providers' | 'users'

/** The address of a page about one object. `tab` is the last segment of the address; the page `settings` has no such segment. */
export function resourcePath(area: ResourceArea, id: string, tab = 'settings'): string {
  const base = `/admin/${area}/${pageSegment(id)}`
  return tab === 'settings' ? base : `${base}/${tab}`
}

export function clientPath(clientId: string, tab = 'settings'): string {
  return resourcePath('clients', clientId, tab)
}

export function scopePath(name: string, tab = 'settings'): string {
  return resourcePath('scopes', name, tab)
}

export function providerPath(scheme: string, tab = 'settings'): string {
  return resourcePath('providers', scheme, tab)
}

export function userPath(subject: string): string {
  return resourcePath('users', subject)
}

export function administratorPath(subject: string): string {
  return `/admin/administrators/${pageSegment(subject)}`
}

export function requestTracePath(requestId: string): string {
  return `/admin/events/requests/${encodeURIComponent(requestId)}`
}

type Change = Pick<AuditRow, 'targetKind' | 'targetId' | 'before' | 'after'>

/**
 * The page of the client, scope, user, provider or policies that an audit row is about; `null` for other objects, and for the row that
 * records a deletion. `isThere` of `ChangeNames` says whether the object was deleted since.
 */
export function placeOf({ targetKind, targetId, before, after }: Change): string | null {
  if (before !== null && after === null) return null
  switch (targetKind) {
    case 'client':
    case 'scope':
    case 'user':
    case 'provider':
      return resourcePath(`${targetKind}s`, targetId)
    case 'policies':
      return '/admin/policies'
    default:
      return null
  }
}

/** IDs that are also the addresses of other pages or downloads. */
const taken: ReadonlySet<string> = new Set(['new', 'deleted', 'export', 'invitations'])
const mark = '~'
const encodedMark = '~='

/**
 * Matches names that would be changed on the way: browsers resolve dot segments, even encoded ones, and Next answers `.rsc` with
 * the data of a page.
 */
const isChangedOnTheWay = /(^|\/)\.{1,2}(\/|$)|\.rsc$/

/**
 * The segment for an object in an address. `~` precedes an ID that is also the address of a page, and an ID that begins with `~`.
 * `~=` precedes the base64url of an ID that browsers or Next would change.
 */
export function pageSegment(name: string): string {
  if (isChangedOnTheWay.test(name)) return encodedMark + Buffer.from(name).toString('base64url')
  const isMarked = taken.has(name) || name.startsWith(mark)
  return encodeURIComponent(isMarked ? mark + name : name)
}

/** The ID in a decoded segment. */
export function nameInSegment(segment: string): string {
  if (segment.startsWith(encodedMark)) return encodedName(segment)
  return segment.startsWith(mark) ? segment.slice(mark.length) : segment
}

/** The ID in a segment of an API address, where only an ID that would be changed on the way is encoded, such as `..`. */
export function nameInApiSegment(segment: string): string {
  const name = segment.startsWith(encodedMark) ? encodedName(segment) : segment
  return pageSegment(name) === segment ? name : segment
}

function encodedName(segment: string): string {
  return Buffer.from(segment.slice(encodedMark.length), 'base64url').toString()
}
