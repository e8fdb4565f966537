import type { Permission } from '#lib/admin/access/permissions.ts'

/** Whose secrets they are, and how its forms say so. */
export type SecretOwner = {
  /** Of the use cases: `clients.add_secret`. */
  readonly area: 'clients' | 'scopes'
  /** The owner's own field. */
  readonly hidden: Readonly<Record<string, string>>
  readonly permission: Permission
  /** What happens to those who still use a secret that has ended. */
  readonly consequence: string
}
