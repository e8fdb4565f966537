/** The permissions of each role in one table. Everything that is not in it is denied. Guards, pages and tests read it (AD-01). */
import { type AdminRole, adminRoles, adminScope } from '#lib/protocol/admin-role.ts'

/** The actions of each resource, and the roles with permission for each action. Owners have every permission. */
const table = {
  overview: { read: ['client_manager', 'user_support', 'auditor'] },
  status: { read: ['client_manager', 'user_support', 'auditor'], check: ['auditor'], self_test: [] },
  clients: {
    read: ['client_manager', 'user_support', 'auditor'],
    create: ['client_manager'],
    update: ['client_manager'],
    delete: ['client_manager'],
    secrets: ['client_manager'],
    test: ['client_manager'],
  },
  scopes: {
    read: ['client_manager', 'user_support', 'auditor'],
    create: ['client_manager'],
    update: ['client_manager'],
    delete: ['client_manager'],
    secrets: ['client_manager'],
  },
  providers: {
    read: ['client_manager', 'user_support', 'auditor'],
    create: [],
    update: [],
    delete: [],
  },
  policies: { read: ['auditor'], update: [] },
  users: {
    read: ['user_support', 'auditor'],
    create: ['user_support'],
    update: ['user_support'],
    reset: ['user_support'],
    delete: [],
    export: ['auditor'],
  },
  grants: {
    read: ['client_manager', 'user_support', 'auditor'],
    export: ['auditor'],
    revoke: ['user_support'],
    revoke_client: ['client_manager'],
    revoke_all: [],
  },
  keys: { read: ['client_manager', 'auditor'], rotate: [] },
  events: { read: ['client_manager', 'user_support', 'auditor'], export: ['auditor'] },
  audit: { read: ['auditor'] },
  configuration: { read: ['auditor'], apply: [], restore: ['client_manager'] },
  administrators: { read: ['auditor'], invite: [], update: [], delete: [] },
  mail: { read: ['user_support', 'auditor'], send: [] },
} as const satisfies Readonly<Record<string, Readonly<Record<string, readonly AdminRole[]>>>>

type Table = typeof table
export type Permission = {
  [R in keyof Table]: `${R}:${Extract<keyof Table[R], string>}`
}[keyof Table]

const allowed: ReadonlyMap<string, readonly AdminRole[]> = new Map(
  Object.entries(table).flatMap(([resource, actions]) =>
    Object.entries(actions).map(([action, roles]) => [`${resource}:${action}`, roles]),
  ),
)

/** All permissions, in the order of the table. */
export const permissions: readonly Permission[] = [...allowed.keys()].filter(isPermission)

/** Whether the role has the permission. A permission that is not in the table is denied. */
export function may(role: AdminRole, permission: Permission): boolean {
  const roles = allowed.get(permission)
  if (roles === undefined) return false
  return role === 'owner' || roles.includes(role)
}

/** The roles with the permission. */
export function rolesThatMay(permission: Permission): readonly AdminRole[] {
  return adminRoles.filter(role => may(role, permission))
}

/** Names the roles that have the permission: "Only owners and client managers may do this." */
export function permissionSentence(permission: Permission): string {
  return `Only ${inWords.format(rolesThatMay(permission).map(plural))} may do this.`
}

const inWords = new Intl.ListFormat('en')

function plural(role: AdminRole): string {
  return role === 'user_support' ? 'user support' : `${role.replace('_', ' ')}s`
}

/** AD-03: changing the account of an administrator could take it over, so only owners may do it. */
export function mayTouchAccount(role: AdminRole, accountRole: AdminRole | null): boolean {
  return role === 'owner' || accountRole === null
}

/** AD-03: only owners can grant access to the administration. */
export function mayTouchScope(role: AdminRole, scope: string): boolean {
  return role === 'owner' || scope !== adminScope
}

function isPermission(name: string): name is Permission {
  return allowed.has(name)
}
