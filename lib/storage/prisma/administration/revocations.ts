/** What admins revoke: sessions, grants with their tokens, and consents, of a selection. */
import type { EndSelection } from '#lib/ports/admin-store.ts'
import type { Tables } from '../../database.ts'
import { markOwnTokens } from '../grants/revocation.ts'
import { equals } from '../rows.ts'

const ofSessions = { subject: 'subject', sessionId: 'sessionId' }
const ofConsents = { subject: 'subject', clientId: 'clientId' }
const ofGrants = { ...ofConsents, sessionId: 'sessionId', grantId: 'id' }
const ofTokens = { ...ofConsents, grantId: 'grantId' }

/** Sessions first: from then on nothing new can be granted in them (SE-06). Interrupted sign-ins are deleted. */
export async function endSessions(tables: Tables, selection: EndSelection, now: Date): Promise<number> {
  const whose = narrowed(selection, ofSessions)
  if (selection.sessionId === undefined) await tables.partialSignIn.deleteMany({ where: whose })
  const ended = await tables.session.deleteMany({ where: whose })
  const where = { sessionId: { not: null }, ...whose, isOffline: false, revokedAt: null }
  const revoked = await tables.grant.updateMany({ where, data: { revokedAt: now } })
  return ended.count + revoked.count
}

/** Also those that a client got for itself: reference tokens are deleted, self-contained ones are too old from now on. */
export async function revokeGrants(tables: Tables, selection: EndSelection, now: Date): Promise<number> {
  const revoked = await revoke(tables, selection, now)
  // No token knows its session; those issued in one died with their grants
  if ('sessionId' in selection) return revoked
  const { count } = await tables.referenceToken.deleteMany({ where: narrowed(selection, ofTokens) })
  const { subject, grantId, clientId } = selection
  const isOfOne = subject === undefined || clientId === undefined
  if (grantId === undefined && isOfOne) await markOwnTokens(tables, subject ?? clientId ?? null, now)
  return revoked + count
}

/** The consent is deleted first, so that nothing more can be granted silently. */
export async function removeConsents(tables: Tables, selection: EndSelection, now: Date): Promise<number> {
  const { count } = await tables.consent.deleteMany({ where: narrowed(selection, ofConsents) })
  return count + (await revoke(tables, selection, now))
}

async function revoke(tables: Tables, selection: EndSelection, now: Date): Promise<number> {
  const where = { ...narrowed(selection, ofGrants), revokedAt: null }
  const { count } = await tables.grant.updateMany({ where, data: { revokedAt: now } })
  return count
}

/** NOTE: dropping a field would select the rows of all users, so a field without a column or a value is refused. */
function narrowed(selection: EndSelection, columns: Readonly<Record<string, string>>): Conditions {
  const conditions = Object.entries(selection).map(([field, value]) => {
    const column = columns[field]
    if (column === undefined || value === undefined) throw new TypeError(`"${field}" narrows nothing here.`)
    return [column, equals(value)] as const
  })
  return Object.fromEntries(conditions)
}

type Conditions = Readonly<Record<string, { readonly equals: string }>>
