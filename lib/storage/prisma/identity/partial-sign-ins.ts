/** Sign-ins that the user service interrupted. */
import type { PartialSignIn, PartialSignIns } from '#lib/ports/sessions.ts'
import type { PartialSignIn as PartialRow } from '#prisma/generated/sqlite/client.ts'
import type { Database } from '../../database.ts'
import { digest, parseStringList, subjectId } from '../columns.ts'
import { equals } from '../equals.ts'

export function createPartialSignIns(database: Database): PartialSignIns {
  return {
    create: async signIn => {
      await database.partialSignIn.create({ data: { ...signIn, amr: JSON.stringify(signIn.amr) } })
    },
    find: async (digest, browser, now) => {
      const where = { digest: equals(digest), browser: equals(browser), expiresAt: { gt: now } }
      const row = await database.partialSignIn.findFirst({ where })
      return row && partialFromRow(row)
    },
    take: async digest => {
      const { count } = await database.partialSignIn.deleteMany({ where: { digest: equals(digest) } })
      return count === 1
    },
  }
}

function partialFromRow(row: PartialRow): PartialSignIn {
  return {
    ...row,
    digest: digest(row.digest),
    browser: digest(row.browser),
    subject: subjectId(row.subject),
    amr: parseStringList(row.amr),
    provenHash: row.provenHash === null ? null : digest(row.provenHash),
  }
}
