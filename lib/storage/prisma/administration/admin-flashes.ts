/** What forms leave for the next page, by the digest of its handle. */
import type { AdminFlash, AdminFlashes } from '#lib/ports/administration.ts'
import type { Database } from '../../database.ts'
import { digest } from '../columns.ts'
import { equals } from '../equals.ts'

export function createAdminFlashes(database: Database): AdminFlashes {
  const find: AdminFlashes['find'] = async (handle, sessionDigest, now) => {
    const row = await database.adminFlash.findUnique({ where: { digest: handle } })
    if (row === null || row.sessionDigest !== sessionDigest || row.expiresAt <= now) return null
    return { ...row, digest: digest(row.digest), sessionDigest: digest(row.sessionDigest) }
  }
  return {
    create: async (flash: AdminFlash) => {
      await database.adminFlash.create({ data: { ...flash } })
    },
    find,
    take: async (handle, sessionDigest, now) => {
      const flash = await find(handle, sessionDigest, now)
      if (flash === null) return null
      const { count } = await database.adminFlash.deleteMany({ where: { digest: equals(handle) } })
      return count === 1 ? flash : null
    },
  }
}
