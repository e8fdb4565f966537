/** What administrators are; `lib/admin/access/permissions.ts` says what each role means. */
import { z } from 'zod'

/** Opens the API to whoever is an administrator; alone it opens nothing. Every configuration may name it, none defines it. */
export const adminScope = 'latchkey.admin'

export const adminRoles = ['owner', 'client_manager', 'user_support', 'auditor'] as const

export const adminRoleSchema = z.enum(adminRoles)
export type AdminRole = z.infer<typeof adminRoleSchema>
