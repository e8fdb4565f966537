/** Finds addresses that name several users, so that they cannot be the user name of one. */
import { z } from 'zod'
import type { SharedAddress } from '#lib/ports/admin-lists.ts'
import { Prisma } from '#prisma/generated/sqlite/client.ts'
import type { Database } from '../../database.ts'
import { subjectId } from '../rows.ts'

const foundSchema = z.array(z.object({ email: z.string() }))

/**
 * Finds verified addresses of several users, and those that are the user name of a different user, in the order of the
 * addresses.
 */
export async function sharedAddresses(database: Database, most: number): Promise<readonly SharedAddress[]> {
  const found = await database.$queryRaw(Prisma.sql`
    SELECT "email" FROM (
      SELECT "verifiedEmail" AS "email" FROM "User"
        WHERE "verifiedEmail" IS NOT NULL GROUP BY "verifiedEmail" HAVING COUNT(*) > 1
      UNION
      SELECT u."verifiedEmail" AS "email" FROM "User" u
        JOIN "User" n ON n."canonicalUsername" = u."verifiedEmail" AND n."subject" <> u."subject"
    ) AS shared ORDER BY "email" LIMIT ${most}`)
  const emails = foundSchema.parse(found).map(({ email }) => email)
  const rows = await database.user.findMany({
    where: { OR: [{ verifiedEmail: { in: emails } }, { canonicalUsername: { in: emails } }] },
    orderBy: { canonicalUsername: 'asc' },
    select: { subject: true, username: true, verifiedEmail: true, canonicalUsername: true },
  })
  return emails.map(email => ({
    email,
    users: rows
      .filter(row => row.verifiedEmail === email || row.canonicalUsername === email)
      .map(({ subject, username }) => ({ subject: subjectId(subject), username })),
  }))
}
