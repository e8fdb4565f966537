/** What admins revoke: sessions, grants with their tokens, and consents, of a selection. */
import type { EndSelection } from '#lib/ports/admin-store.ts'
import type { Tables } from '../../database.ts'
import { forgetClients, markOwnTokens } from '../grants/revocation.ts'
import { endSessions } from '../identity/ended-sessions.ts'
import { equals } from '../rows.ts'

const ofSessions = { subject: 'subject', sessionId: 'sessionId' }
const ofConsents = { subject: 'subject', clientId: 'clientId' }
const ofGrants = { ...ofConsents, sessionId: 'sessionId', grantId: 'id' }
const ofTokens = { ...ofConsents, grantId: 'grantId' }

/** Returns how many sessions and grants ended. */
export async function endSelectedSessions(
  tables: Tables,
  selection: EndSelection,
  now: Date,
): Promise<number> {
  narrowed(selection, ofSessions)
  const { sessions, grants } = await endSessions(tables, selection, 'ended_by_admin', now)
  return sessions.length + grants
}

/** Also those that a client got for itself: reference tokens are deleted, self-contained ones are too old from now on. */
export async function revokeGrants(tables: Tables, selection: EndSelection, now: Date): Promise<number> {
  const revoked = await revoke(tables, selection, now)
  if (selection.grantId === undefined) await forgetClients(tables, selection)
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
