/** The addresses of the pages of one client, scope, identity provider or user. */
import { pageSegment } from '#lib/admin/page-segment.ts'

export type ResourceArea = 'clients' | 'scopes' | 'providers' | 'users'

/** `tab`: one of its pages; empty: the first one. */
export function resourcePath(area: ResourceArea, id: string, tab = ''): string {
  const base = `/admin/${area}/${pageSegment(id)}`
  return tab === '' ? base : `${base}/${tab}`
}

export function clientPath(clientId: string, tab = ''): string {
  return resourcePath('clients', clientId, tab)
}

export function scopePath(name: string, tab = ''): string {
  return resourcePath('scopes', name, tab)
}

export function providerPath(scheme: string, tab = ''): string {
  return resourcePath('providers', scheme, tab)
}

export function userPath(subject: string): string {
  return resourcePath('users', subject)
}
