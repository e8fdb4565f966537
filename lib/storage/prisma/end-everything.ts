/** What a person's old password, or a locked account, opened: ended on the tables of one transaction (SE-06, RT-08). */
import type { Tables } from '../client.ts'

export async function endEverything(tables: Tables, subject: string, now: Date): Promise<void> {
  await tables.session.deleteMany({ where: { subject } })
  await tables.partialSignIn.deleteMany({ where: { subject } })
  await tables.grant.updateMany({ where: { subject, revokedAt: null }, data: { revokedAt: now } })
}
