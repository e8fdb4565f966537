/** Remembered consents. */
import type { Consent, Consents, Grant } from '#lib/ports/grants.ts'
import type { Consent as ConsentRow } from '#prisma/generated/sqlite/client.ts'
import { type Bound, locked, statement } from '../../sql/statement.ts'
import { table } from '../../sql/table.ts'
import { expired, type Store } from '../../store.ts'
import { equals, jsonColumns } from '../rows.ts'

export const consentStore: Store<Consents> = {
  create: database => ({
    find: async (subject, clientId, now) => {
      const cells = await database.$first(statements.consentOf, [subject, clientId, now])
      const row = cells && consentTable.read(cells)
      return row && consentFromRow(row)
    },
    store: async consent => {
      const row = consentToRow(consent)
      await database.$change({ writes: [[statements.storeConsent, consentTable.values(row)]] })
    },
    narrow: async ({ subject, clientId, scopes: read }, scopes, now) => {
      const values = [subject, clientId, JSON.stringify(read), JSON.stringify(scopes), now]
      const unchanged: Bound = [statements.narrowConsent, values]
      return (await database.$change({ conditions: { unchanged }, writes: [] })) === null
    },
    remove: async (subject, clientId) => {
      await database.$change({ writes: [[statements.removeConsent, [subject, clientId]]] })
    },
    allOf: async (subject, now) => {
      const where = { subject: equals(subject), ...unexpired(now) }
      const rows = await database.consent.findMany({ where, orderBy: { updatedAt: 'desc' } })
      return rows.map(consentFromRow)
    },
  }),
  purge: [expired('consents', 'Consent')],
}

/** The condition that the consent has not expired and is unchanged since it was read, until the grant is written. */
export function consentCondition({ clientId, scopes }: Consent, { subject, createdAt }: Grant): Bound {
  return [statements.consentIsUnchanged, [subject, clientId, JSON.stringify(scopes), createdAt]]
}

export function unexpired(now: Date) {
  return { OR: [{ expiresAt: null }, { expiresAt: { gt: now } }] }
}

export const { toRow: consentToRow, fromRow: consentFromRow } = jsonColumns<Consent, 'scopes'>('scopes')

export const consentTable = table<ConsentRow>('Consent', {
  createdAt: 'time',
  updatedAt: 'time',
  expiresAt: 'time',
})

const statements = {
  /** $1 subject, $2 client ID, $3 scopes as they were read, $4 now */
  consentIsUnchanged: statement(
    `SELECT 1 FROM "Consent" WHERE "subject" = $1 AND "clientId" = $2 AND "scopes" = $3
       AND ("expiresAt" IS NULL OR "expiresAt" > $4) ${locked}`,
  ),

  /** $1 subject, $2 client ID, $3 now */
  consentOf: statement(
    `SELECT ${consentTable.of('c')} FROM "Consent" c
     WHERE c."subject" = $1 AND c."clientId" = $2 AND (c."expiresAt" IS NULL OR c."expiresAt" > $3)`,
    3,
  ),

  storeConsent: statement(
    `${consentTable.insert} ON CONFLICT ("subject", "clientId") DO UPDATE SET
       "scopes" = excluded."scopes", "updatedAt" = excluded."updatedAt", "expiresAt" = excluded."expiresAt"`,
    2,
  ),

  /** $1 subject, $2 client ID, $3 scopes as they were read, $4 new scopes, $5 now */
  narrowConsent: statement(
    `UPDATE "Consent" SET "scopes" = $4, "updatedAt" = $5
     WHERE "subject" = $1 AND "clientId" = $2 AND "scopes" = $3 RETURNING 1`,
    3,
  ),

  /** $1 subject, $2 client ID */
  removeConsent: statement(`DELETE FROM "Consent" WHERE "subject" = $1 AND "clientId" = $2`, 2),
}
