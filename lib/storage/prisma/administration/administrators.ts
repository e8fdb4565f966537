/** The administrators and their roles. */
import type { Administrator, Administrators } from '#lib/ports/administration.ts'
import { type AdminRole, adminRoleSchema, adminRoles } from '#lib/protocol/admin-role.ts'
import type { Administrator as AdministratorRow } from '#prisma/generated/sqlite/client.ts'
import type { Database, Tables } from '../../database.ts'
import { equals, subjectId } from '../rows.ts'

export function createAdministrators(database: Database): Administrators {
  return {
    find: async subject => {
      const row = await database.administrator.findUnique({ where: { subject } })
      return row && administratorFromRow(row)
    },
    all: async () => {
      const rows = await database.administrator.findMany({ orderBy: { createdAt: 'asc' } })
      return rows.map(administratorFromRow).toSorted((left, right) => rank(left.role) - rank(right.role))
    },
  }
}

/**
 * Counts the owners who can sign in: clients and locked users are not counted. A change by an administrator must not
 * remove the last one (AD-06).
 */
export async function countOwners(tables: Tables): Promise<number> {
  const owners = await tables.administrator.findMany({ where: { role: 'owner' } })
  const named = { in: owners.map(({ subject }) => subject) }
  const locked = await tables.user.count({ where: { subject: named, enabled: false } })
  const clients = await tables.client.count({ where: { clientId: named } })
  return owners.length - locked - clients
}

/** Appoints an administrator, or changes the administrator's role. */
export async function putAdministrator(
  tables: Tables,
  { subject, role }: { readonly subject: string; readonly role: string },
  now: Date,
): Promise<number> {
  const create = { subject, role, createdAt: now }
  await tables.administrator.upsert({ where: { subject }, create, update: { role } })
  return 1
}

export async function removeAdministrator(tables: Tables, subject: string): Promise<number> {
  const { count } = await tables.administrator.deleteMany({ where: { subject: equals(subject) } })
  await tables.adminSession.deleteMany({ where: { subject } })
  return count
}

function administratorFromRow(row: AdministratorRow): Administrator {
  return { ...row, subject: subjectId(row.subject), role: adminRole(row.role) }
}

/** Parses a stored role. Throws for an unknown one: a role of a newer release must not grant access. */
export function adminRole(text: string): AdminRole {
  return adminRoleSchema.parse(text)
}

function rank(role: AdminRole): number {
  return adminRoles.indexOf(role)
}
