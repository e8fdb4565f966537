/** The addresses of the pages of one client, scope, identity provider or user. */
import type { AuditRow } from '#lib/admin/admin-ports.ts'
import { pageSegment } from '#lib/admin/page-segment.ts'

export type ResourceArea = 'clients' | 'scopes' | 'providers' | 'users'

/** `tab`: one of its pages. */
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

type Change = Pick<AuditRow, 'targetKind' | 'targetId' | 'before' | 'after'>

/** Where what was changed can be seen; `null` for what is gone or has no page. */
export function placeOf({ targetKind, targetId, before, after }: Change): string | null {
  if (before !== null && after === null) return null
  switch (targetKind) {
    case 'client':
      return clientPath(targetId)
    case 'scope':
      return scopePath(targetId)
    case 'user':
      return userPath(targetId)
    case 'provider':
      return providerPath(targetId)
    default:
      return null
  }
}
