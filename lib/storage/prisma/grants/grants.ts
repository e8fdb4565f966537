/** Grants: a person's acts of letting apps in. */
import { storage } from '#lib/config/limits.ts'
import type { Grant, GrantSelection, Grants } from '#lib/ports/grants.ts'
import type { Grant as GrantRow } from '#prisma/generated/sqlite/client.ts'
import type { Client } from '../../client.ts'
import { clientId, grantId, optional, scopeNames, sessionId, subjectId, words } from '../columns.ts'
import { exactly } from '../exactly.ts'
import { groupedRead } from '../grouped-read.ts'
import { noBasis, whileStanding } from './standing-basis.ts'

export function createGrants(client: Client): Grants {
  const read = groupedRead(async ids => {
    const rows = await client.grant.findMany({ where: { id: { in: ids } } })
    return new Map(rows.map(row => [row.id, grantFromRow(row)]))
  }, storage.groupedReads)
  return {
    open: (grant, basis = noBasis) =>
      whileStanding(client, { grant, basis }, tables => tables.grant.create({ data: grantToRow(grant) })),
    find: read,
    revoke: async (selection, now) => {
      const where = { ...selectedBy(selection), revokedAt: null, expiresAt: { gt: now } }
      const { count } = await client.grant.updateMany({ where, data: { revokedAt: now } })
      return count
    },
    liveOf: async (subject, now) => {
      const where = { subject: exactly(subject), revokedAt: null, expiresAt: { gt: now } }
      const rows = await client.grant.findMany({ where, orderBy: { createdAt: 'desc' } })
      return rows.map(grantFromRow)
    },
    extend: async (id, expiresAt) => {
      await client.grant.updateMany({
        where: { id: exactly(id), expiresAt: { lt: expiresAt } },
        data: { expiresAt },
      })
    },
  }
}

/** NOTE: an undefined would drop its condition and select everybody's grants. */
function selectedBy(selection: GrantSelection) {
  if ('id' in selection) return { id: exactly(selection.id) }
  if ('sessionId' in selection) return { sessionId: exactly(selection.sessionId), isOffline: false }
  if (selection.clientId === undefined) return { subject: exactly(selection.subject) }
  return { subject: exactly(selection.subject), clientId: exactly(selection.clientId) }
}

export function grantToRow(grant: Grant): GrantRow {
  return {
    id: grant.id,
    clientId: grant.clientId,
    subject: grant.subject,
    idp: grant.idp,
    amr: JSON.stringify(grant.amr),
    acr: grant.acr,
    authenticatedAt: grant.authenticatedAt,
    sessionId: grant.sessionId,
    scopes: JSON.stringify(grant.scopes),
    isOffline: grant.isOffline,
    createdAt: grant.createdAt,
    expiresAt: grant.expiresAt,
    revokedAt: grant.revokedAt,
  }
}

export function grantFromRow(row: GrantRow): Grant {
  return {
    ...row,
    id: grantId(row.id),
    clientId: clientId(row.clientId),
    subject: subjectId(row.subject),
    amr: words(row.amr),
    sessionId: optional(row.sessionId, sessionId),
    scopes: scopeNames(row.scopes),
  }
}
