/** Sign-ins that are away at an identity provider. */
import type { ExternalSignIn, ExternalSignIns } from '#lib/ports/sessions.ts'
import type { ExternalSignIn as ExternalRow } from '#prisma/generated/sqlite/client.ts'
import type { Client } from '../../client.ts'
import { digest, providerScheme } from '../columns.ts'
import { exactly } from '../exactly.ts'

export function createExternalSignIns(client: Client): ExternalSignIns {
  return {
    create: async signIn => {
      await client.externalSignIn.create({ data: signIn })
    },
    take: async (state, browser, now) => {
      const where = { state: exactly(state), browser: exactly(browser), expiresAt: { gt: now } }
      const row = await client.externalSignIn.findFirst({ where })
      if (row === null) return null
      const { count } = await client.externalSignIn.deleteMany({ where })
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
