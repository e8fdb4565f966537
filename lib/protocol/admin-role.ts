/** The roles of administrators; `lib/admin/access/permissions.ts` defines what each allows. */
import { z } from 'zod'

/**
 * The scope with which administrators can use the API; without a role it has no effect. It is built in: clients can
 * list it, and a registered scope cannot replace it.
 */
export const adminScope = 'latchkey.admin'

export const adminRoles = ['owner', 'client_manager', 'user_support', 'auditor'] as const

export const adminRoleSchema = z.enum(adminRoles)
export type AdminRole = z.infer<typeof adminRoleSchema>
