/** Links that make an administrator, by their digest. */
import type { AdminInvitation, AdminInvitations } from '#lib/ports/administration.ts'
import type { AdminInvitation as InvitationRow } from '#prisma/generated/sqlite/client.ts'
import type { Database } from '../../database.ts'
import { digest, optional, subjectId } from '../columns.ts'
import { adminRole } from './administrators.ts'

export function createAdminInvitations(database: Database): AdminInvitations {
  return {
    find: async (digest, now) => {
      const row = await database.adminInvitation.findUnique({ where: { digest } })
      return row !== null && row.expiresAt > now ? fromRow(row) : null
    },
    all: async now => {
      const where = { expiresAt: { gt: now } }
      const rows = await database.adminInvitation.findMany({ where, orderBy: { createdAt: 'asc' } })
      return rows.map(fromRow)
    },
  }
}

function fromRow(row: InvitationRow): AdminInvitation {
  return {
    ...row,
    digest: digest(row.digest),
    role: adminRole(row.role),
    createdBy: optional(row.createdBy, subjectId),
  }
}
