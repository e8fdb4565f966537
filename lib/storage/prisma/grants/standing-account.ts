/** Asks the proof of a sign-in about the account as it stands. */
import type { AccountProof } from '#lib/ports/standing-account.ts'
import type { Tables } from '../../client.ts'
import { exactly } from '../exactly.ts'
import { userFromRow } from '../identity/users.ts'

/** True without a proof. Writes the row it looks at: whoever changes the account waits for this transaction, or was first. */
export async function isAccountProven(
  tables: Tables,
  subject: string,
  proof: AccountProof | undefined,
): Promise<boolean> {
  if (proof === undefined) return true
  const where = { subject: exactly(subject) }
  await tables.user.updateMany({ where, data: { version: { increment: 0 } } })
  const row = await tables.user.findFirst({ where })
  return proof(row && userFromRow(row))
}
