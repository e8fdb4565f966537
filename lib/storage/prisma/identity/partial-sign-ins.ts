/** Sign-ins that the user service interrupted. */
import type { PartialSignIn, PartialSignIns } from '#lib/ports/sessions.ts'
import type { PartialSignIn as PartialRow } from '#prisma/generated/sqlite/client.ts'
import type { Client } from '../../client.ts'
import { digest, subjectId, words } from '../columns.ts'
import { exactly } from '../exactly.ts'

export function createPartialSignIns(client: Client): PartialSignIns {
  return {
    create: async signIn => {
      await client.partialSignIn.create({ data: { ...signIn, amr: JSON.stringify(signIn.amr) } })
    },
    find: async (digest, browser, now) => {
      const where = { digest: exactly(digest), browser: exactly(browser), expiresAt: { gt: now } }
      const row = await client.partialSignIn.findFirst({ where })
      return row && partialFromRow(row)
    },
    take: async digest => {
      const { count } = await client.partialSignIn.deleteMany({ where: { digest: exactly(digest) } })
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
    amr: words(row.amr),
    provenHash: row.provenHash === null ? null : digest(row.provenHash),
  }
}
