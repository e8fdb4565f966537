/** Sign-ins that are away at an identity provider. */
import type { ExternalSignIn, ExternalSignIns } from '#lib/ports/sessions.ts'
import type { ExternalSignIn as ExternalRow } from '#prisma/generated/sqlite/client.ts'
import type { Database } from '../../database.ts'
import { digest, providerScheme } from '../columns.ts'
import { equals } from '../equals.ts'

export function createExternalSignIns(database: Database): ExternalSignIns {
  return {
    create: async signIn => {
      await database.externalSignIn.create({ data: signIn })
    },
    take: async (state, browser, now) => {
      const where = { state: equals(state), browser: equals(browser), expiresAt: { gt: now } }
      const row = await database.externalSignIn.findFirst({ where })
      if (row === null) return null
      const { count } = await database.externalSignIn.deleteMany({ where })
      return count === 1 ? externalFromRow(row) : null
    },
  }
}

function externalFromRow(row: ExternalRow): ExternalSignIn {
  return {
    ...row,
    state: digest(row.state),
    browser: digest(row.browser),
    scheme: providerScheme(row.scheme),
  }
}
