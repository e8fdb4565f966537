/** What an administrator may do; `lib/admin/access/permissions.ts` says what each role means. */
import { z } from 'zod'

export const adminRoles = ['owner', 'client_manager', 'user_support', 'auditor'] as const

export const adminRoleSchema = z.enum(adminRoles)
export type AdminRole = z.infer<typeof adminRoleSchema>
