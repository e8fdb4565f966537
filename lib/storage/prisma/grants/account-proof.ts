/** Runs the check of a sign-in against the stored account. */
import type { AccountProof } from '#lib/ports/account-proof.ts'
import type { Tables } from '../../database.ts'
import { equals } from '../equals.ts'
import { userFromRow } from '../identity/users.ts'

/** True without a proof. Writes the row it reads: a concurrent change of the account waits for this transaction or came first. */
export async function isAccountProven(
  tables: Tables,
  subject: string,
  proof: AccountProof | undefined,
): Promise<boolean> {
  if (proof === undefined) return true
  const where = { subject: equals(subject) }
  await tables.user.updateMany({ where, data: { version: { increment: 0 } } })
  const row = await tables.user.findFirst({ where })
  return proof(row && userFromRow(row))
}
