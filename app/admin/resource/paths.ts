/** The addresses of the pages of one client, scope, identity provider or user. */
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
