/** Grants: the stored authorizations of users. */
import { storage } from '#lib/config/limits.ts'
import type { Grant, GrantSelection, Grants } from '#lib/ports/grants.ts'
import { grantDetailsSchema } from '#lib/protocol/grant-details.ts'
import type { Grant as GrantRow } from '#prisma/generated/sqlite/client.ts'
import type { Database } from '../../database.ts'
import { batchedRead } from '../batched-read.ts'
import { clientId, grantId, optional, parseStringList, sessionId, subjectId } from '../columns.ts'
import { equals } from '../equals.ts'
import { createGrantIfValid, noPreconditions } from './grant-preconditions.ts'

export function createGrants(database: Database): Grants {
  const read = batchedRead(async ids => {
    const rows = await database.grant.findMany({ where: { id: { in: ids } } })
    return new Map(rows.map(row => [row.id, grantFromRow(row)]))
  }, storage.batchedReads)
  return {
    open: (grant, preconditions = noPreconditions) =>
      createGrantIfValid(database, { grant, preconditions }, tables =>
        tables.grant.create({ data: grantToRow(grant) }),
      ),
    find: read,
    revoke: async (selection, now) => {
      const where = { ...selectedBy(selection), revokedAt: null, expiresAt: { gt: now } }
      const { count } = await database.grant.updateMany({ where, data: { revokedAt: now } })
      return count
    },
    liveOf: async (subject, now) => {
      const where = { subject: equals(subject), revokedAt: null, expiresAt: { gt: now } }
      const rows = await database.grant.findMany({ where, orderBy: { createdAt: 'desc' } })
      return rows.map(grantFromRow)
    },
    extend: async (id, expiresAt) => {
      await database.grant.updateMany({
        where: { id: equals(id), expiresAt: { lt: expiresAt } },
        data: { expiresAt },
      })
    },
  }
}

/** NOTE: an undefined would drop its condition and select the grants of all users. */
function selectedBy(selection: GrantSelection) {
  if ('id' in selection) return { id: equals(selection.id) }
  if ('sessionId' in selection) return { sessionId: equals(selection.sessionId), isOffline: false }
  if (selection.clientId === undefined) return { subject: equals(selection.subject) }
  return { subject: equals(selection.subject), clientId: equals(selection.clientId) }
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
    details: JSON.stringify(grantDetailsSchema.parse(grant)),
    isOffline: grant.isOffline,
    createdAt: grant.createdAt,
    expiresAt: grant.expiresAt,
    revokedAt: grant.revokedAt,
  }
}

export function grantFromRow({ details, ...row }: GrantRow): Grant {
  return {
    ...row,
    ...grantDetailsSchema.parse(JSON.parse(details)),
    id: grantId(row.id),
    clientId: clientId(row.clientId),
    subject: subjectId(row.subject),
    amr: parseStringList(row.amr),
    sessionId: optional(row.sessionId, sessionId),
  }
}
