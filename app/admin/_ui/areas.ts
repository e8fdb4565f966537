/** The areas of the dashboard in the order of the navigation, with the permission that each requires. */
import { may, type Permission } from '#lib/admin/access/permissions.ts'
import type { AdminRole } from '#lib/protocol/admin-role.ts'

export type Area = { readonly name: string; readonly path: string; readonly permission: Permission }

export const areas: readonly Area[] = [
  { name: 'Overview', path: '/admin', permission: 'overview:read' },
  { name: 'Clients', path: '/admin/clients', permission: 'clients:read' },
  { name: 'Users', path: '/admin/users', permission: 'users:read' },
  { name: 'Scopes', path: '/admin/scopes', permission: 'scopes:read' },
  { name: 'Identity providers', path: '/admin/providers', permission: 'providers:read' },
  { name: 'Policies', path: '/admin/policies', permission: 'policies:read' },
  { name: 'Sessions', path: '/admin/sessions', permission: 'grants:read' },
  { name: 'Keys', path: '/admin/keys', permission: 'keys:read' },
  { name: 'Mail', path: '/admin/mail', permission: 'mail:read' },
  { name: 'Events', path: '/admin/events', permission: 'events:read' },
  { name: 'Changes', path: '/admin/changes', permission: 'audit:read' },
  { name: 'Status', path: '/admin/status', permission: 'status:read' },
  { name: 'Configuration', path: '/admin/configuration', permission: 'configuration:read' },
  { name: 'Administrators', path: '/admin/administrators', permission: 'administrators:read' },
]

/** The areas that a role may see. */
export function areasOf(role: AdminRole): readonly Area[] {
  return areas.filter(({ permission }) => may(role, permission))
}
