/** Describes the permissions of each role in words. */
import { may, type Permission, permissions } from '#lib/admin/access/permissions.ts'
import type { AdminRole } from '#lib/protocol/admin-role.ts'
import { capitalized } from '#lib/protocol/text/display-text.ts'

const areaOf = (permission: Permission) => permission.split(':')[0] ?? ''
const actionOf = (permission: Permission) => permission.split(':')[1] ?? ''

/** The areas: the parts of the permissions before the colon. */
export const areas: readonly string[] = [...new Set(permissions.map(areaOf))]

/** Names of areas, where the part of the permission before the colon is not clear. */
const areaNames: Readonly<Record<string, string>> = {
  providers: 'Identity providers',
  grants: 'Sessions and tokens',
  audit: 'Changes',
}

/** Names of actions, where the part of the permission after the colon is not clear. */
const actionNames: Readonly<Record<string, string>> = {
  read: 'view',
  reset: 'reset passwords',
  restore: 'restore versions',
  revoke_client: 'revoke for one client',
}

export function areaName(area: string): string {
  return areaNames[area] ?? capitalized(area)
}

const everything = 'all'

/** The actions of a role in an area, such as `all` or `view, create, update`; `null` if there are none. */
export function whatRoleMay(role: AdminRole, area: string): string | null {
  const own = permissions.filter(permission => areaOf(permission) === area)
  const allowed = own.filter(permission => may(role, permission))
  if (allowed.length === 0) return null
  if (allowed.length === own.length && own.length > 1) return everything
  return allowed
    .map(actionOf)
    .map(action => actionNames[action] ?? action)
    .join(', ')
}

/**
 * The areas of a role, grouped by what the role may do there: areas with all actions first. Areas without permission are left
 * out.
 */
export function areasByWhatRoleMay(role: AdminRole): ReadonlyMap<string, readonly string[]> {
  const groups = Map.groupBy(areas, area => whatRoleMay(role, area) ?? '')
  groups.delete('')
  const whole = groups.get(everything)
  return whole === undefined ? groups : new Map([[everything, whole], ...groups])
}
