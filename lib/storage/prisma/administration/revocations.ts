/** Revocations by administrators: the sessions, grants with their tokens, and consents of a selection. */
import type { EndSelection } from '#lib/ports/admin-store.ts'
import type { Tables } from '../../database.ts'
import { forgetClients, markOwnTokens } from '../grants/revocation.ts'
import { endSessions } from '../identity/ended-sessions.ts'
import { equals } from '../rows.ts'

const ofSessions = { subject: 'subject', sessionId: 'sessionId' }
const ofConsents = { subject: 'subject', clientId: 'clientId' }
const ofGrants = { ...ofConsents, sessionId: 'sessionId', grantId: 'id' }
const ofTokens = { ...ofConsents, grantId: 'grantId' }

/**
 * Ends the selected sessions, and their grants except offline ones. Returns the number of ended sessions and grants.
 */
export async function endSelectedSessions(
  tables: Tables,
  selection: EndSelection,
  now: Date,
): Promise<number> {
  narrowed(selection, ofSessions)
  const { sessions, grants } = await endSessions(tables, selection, 'ended_by_admin', now)
  return sessions.length + grants
}

/**
 * Revokes the selected grants and deletes the selected reference tokens. Unless one grant is selected, removes the
 * clients that lost their access from the sessions. If one user, one client or everything is selected, self-contained
 * tokens without a grant that were issued before `now` become invalid. A selection by session deletes no tokens.
 * Returns the number of revoked grants and deleted tokens.
 */
export async function revokeGrants(tables: Tables, selection: EndSelection, now: Date): Promise<number> {
  const revoked = await revoke(tables, selection, now)
  if (selection.grantId === undefined) await forgetClients(tables, selection)
  // Tokens of clients for themselves belong to no session; all others were revoked with their grants
  if ('sessionId' in selection) return revoked
  const { count } = await tables.referenceToken.deleteMany({ where: narrowed(selection, ofTokens) })
  const { subject, grantId, clientId } = selection
  const isOfOne = subject === undefined || clientId === undefined
  if (grantId === undefined && isOfOne) await markOwnTokens(tables, subject ?? clientId ?? null, now)
  return revoked + count
}

/** Removes the selected consents and revokes the selected grants. Returns the number of both together. */
export async function removeConsents(tables: Tables, selection: EndSelection, now: Date): Promise<number> {
  const { count } = await tables.consent.deleteMany({ where: narrowed(selection, ofConsents) })
  return count + (await revoke(tables, selection, now))
}

async function revoke(tables: Tables, selection: EndSelection, now: Date): Promise<number> {
  const where = { ...narrowed(selection, ofGrants), revokedAt: null }
  const { count } = await tables.grant.updateMany({ where, data: { revokedAt: now } })
  return count
}

/**
 * Builds the conditions of a selection. NOTE: dropping a field would select the rows of all users, so a field without a
 * column or a value is refused.
 */
function narrowed(selection: EndSelection, columns: Readonly<Record<string, string>>): Conditions {
  const conditions = Object.entries(selection).map(([field, value]) => {
    const column = columns[field]
    if (column === undefined || value === undefined) throw new TypeError(`"${field}" narrows nothing here.`)
    return [column, equals(value)] as const
  })
  return Object.fromEntries(conditions)
}

type Conditions = Readonly<Record<string, { readonly equals: string }>>
