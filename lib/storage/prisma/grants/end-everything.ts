/** What an old password, a client or a provider opened: ended on the tables of one transaction (SE-06, RT-08). */
import type { Tables } from '../../database.ts'
import { equals } from '../equals.ts'
import { markOwnTokens } from './own-tokens.ts'

/** Of a person whose password is another, or whose account is locked. */
export async function endEverything(tables: Tables, subject: string, now: Date): Promise<void> {
  await tables.session.deleteMany({ where: { subject } })
  await tables.partialSignIn.deleteMany({ where: { subject } })
  await tables.grant.updateMany({ where: { subject, revokedAt: null }, data: { revokedAt: now } })
}

/** Of a client that is switched off or gone: what people granted it, and what it got for itself. */
export async function endIssued(tables: Tables, clientId: string, now: Date): Promise<void> {
  await tables.grant.updateMany({ where: { clientId, revokedAt: null }, data: { revokedAt: now } })
  await tables.referenceToken.deleteMany({ where: { clientId } })
  await markOwnTokens(tables, clientId, now)
}

/** Of everybody who signed in at a provider that is switched off or gone. Their accounts stay. */
export async function endSignedInAt(tables: Tables, scheme: string, now: Date): Promise<void> {
  const idp = equals(scheme)
  await tables.session.deleteMany({ where: { idp } })
  await tables.partialSignIn.deleteMany({ where: { idp } })
  await tables.grant.updateMany({ where: { idp, revokedAt: null }, data: { revokedAt: now } })
}
