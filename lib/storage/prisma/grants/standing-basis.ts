/** Writes a grant only while what it rests on stands. */
import type { Consent, Grant, GrantBasis, GrantOpening } from '#lib/ports/grants.ts'
import type { Client, Tables } from '../../client.ts'
import { exactly } from '../exactly.ts'
import { finishPending } from './pending-requests.ts'
import { isAccountProven } from './standing-account.ts'

export const noBasis: GrantBasis = { consent: null, pending: null }

type Standing = { readonly grant: Grant; readonly basis: GrantBasis }

/**
 * Runs `write` in one transaction with the proof. Each proof writes the row it looks at, so that an end of it either
 * waits for this transaction, or makes this one see that it is gone. Always in the same order: nobody deadlocks.
 */
export async function whileStanding(
  client: Client,
  standing: Standing,
  write: (tables: Tables) => Promise<unknown>,
): Promise<GrantOpening> {
  if (isOnItsOwn(standing)) {
    await write(client)
    return 'opened'
  }
  return client.$transaction(async tables => {
    const { grant, basis } = standing
    if (!(await isAccountProven(tables, grant.subject, basis.account))) return 'withdrawn'
    if (!(await isSessionLive(tables, grant))) return 'withdrawn'
    if (basis.consent !== null && !(await isConsentUnchanged(tables, basis.consent, grant.createdAt)))
      return 'withdrawn'
    if (basis.pending !== null && !(await finishPending(tables, basis.pending, grant.createdAt)))
      return 'finished'
    await write(tables)
    return 'opened'
  })
}

function isOnItsOwn({ grant, basis }: Standing): boolean {
  const { account, consent, pending } = basis
  return grant.sessionId === null && account === undefined && consent === null && pending === null
}

async function isSessionLive(tables: Tables, { sessionId, subject, createdAt }: Grant): Promise<boolean> {
  if (sessionId === null) return true
  const where = { sessionId: exactly(sessionId), subject: exactly(subject), expiresAt: { gt: createdAt } }
  const { count } = await tables.session.updateMany({ where, data: { subject } })
  return count === 1
}

async function isConsentUnchanged(tables: Tables, consent: Consent, now: Date): Promise<boolean> {
  const scopes = JSON.stringify(consent.scopes)
  const where = { subject: exactly(consent.subject), clientId: exactly(consent.clientId), scopes }
  const unexpired = { OR: [{ expiresAt: null }, { expiresAt: { gt: now } }] }
  const { count } = await tables.consent.updateMany({ where: { ...where, ...unexpired }, data: { scopes } })
  return count === 1
}
