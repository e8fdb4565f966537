/** Remembered consents. */
import type { Consent, Consents } from '#lib/ports/grants.ts'
import type { Consent as ConsentRow } from '#prisma/generated/sqlite/client.ts'
import type { Database } from '../../database.ts'
import { branded, equals, scopeNames } from '../rows.ts'

export function createConsents(database: Database): Consents {
  return {
    find: async (subject, clientId, now) => {
      const where = { subject: equals(subject), clientId: equals(clientId), ...unexpired(now) }
      const row = await database.consent.findFirst({ where })
      return row && consentFromRow(row)
    },
    store: async consent => {
      const { subject, clientId } = consent
      const create = { ...consent, scopes: JSON.stringify(consent.scopes) }
      const { createdAt: _, ...update } = create
      await database.consent.upsert({ where: { subject_clientId: { subject, clientId } }, create, update })
    },
    remove: async (subject, clientId) => {
      await database.consent.deleteMany({ where: { subject: equals(subject), clientId: equals(clientId) } })
    },
    allOf: async (subject, now) => {
      const where = { subject: equals(subject), ...unexpired(now) }
      const rows = await database.consent.findMany({ where, orderBy: { updatedAt: 'desc' } })
      return rows.map(consentFromRow)
    },
  }
}

export function unexpired(now: Date) {
  return { OR: [{ expiresAt: null }, { expiresAt: { gt: now } }] }
}

export function consentFromRow(row: ConsentRow): Consent {
  return branded<Consent>({ ...row, scopes: scopeNames(row.scopes) })
}
