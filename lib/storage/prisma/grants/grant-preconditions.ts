/** Stores a grant only if its preconditions are met. */
import type { Consent, Grant, GrantOpening, GrantPreconditions } from '#lib/ports/grants.ts'
import type { Database, Tables } from '../../database.ts'
import { equals } from '../equals.ts'
import { isAccountProven } from './account-proof.ts'
import { finishPending } from './pending-requests.ts'

export const noPreconditions: GrantPreconditions = { consent: null, pending: null }

type NewGrant = { readonly grant: Grant; readonly preconditions: GrantPreconditions }

/**
 * Runs `write` in one transaction with the checks. Each check writes the row it reads, so that a transaction that ends the
 * session, the consent or the account either waits for this one or is seen by it. The order is fixed, which rules out
 * deadlocks.
 */
export async function createGrantIfValid(
  database: Database,
  newGrant: NewGrant,
  write: (tables: Tables) => Promise<unknown>,
): Promise<GrantOpening> {
  if (hasNoPreconditions(newGrant)) {
    await write(database)
    return 'opened'
  }
  return database.$transaction(async tables => {
    const { grant } = newGrant
    const { account, consent, pending } = newGrant.preconditions
    if (!(await isAccountProven(tables, grant.subject, account))) return 'withdrawn'
    if (!(await isSessionLive(tables, grant))) return 'withdrawn'
    if (consent !== null && !(await isConsentUnchanged(tables, consent, grant.createdAt))) return 'withdrawn'
    if (pending !== null && !(await finishPending(tables, pending, grant.createdAt))) return 'finished'
    await write(tables)
    return 'opened'
  })
}

function hasNoPreconditions({ grant, preconditions }: NewGrant): boolean {
  const { account, consent, pending } = preconditions
  return grant.sessionId === null && account === undefined && consent === null && pending === null
}

async function isSessionLive(tables: Tables, { sessionId, subject, createdAt }: Grant): Promise<boolean> {
  if (sessionId === null) return true
  const where = { sessionId: equals(sessionId), subject: equals(subject), expiresAt: { gt: createdAt } }
  const { count } = await tables.session.updateMany({ where, data: { subject } })
  return count === 1
}

async function isConsentUnchanged(tables: Tables, consent: Consent, now: Date): Promise<boolean> {
  const scopes = JSON.stringify(consent.scopes)
  const where = { subject: equals(consent.subject), clientId: equals(consent.clientId), scopes }
  const unexpired = { OR: [{ expiresAt: null }, { expiresAt: { gt: now } }] }
  const { count } = await tables.consent.updateMany({ where: { ...where, ...unexpired }, data: { scopes } })
  return count === 1
}
