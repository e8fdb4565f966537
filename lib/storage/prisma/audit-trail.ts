/** The audit rows: appended to a chain, never changed. */
import type { AuditEntry, AuditHash, AuditRow, AuditTrail } from '#lib/ports/admin-store.ts'
import { targetKinds } from '#lib/ports/admin-store.ts'
import type { JsonValue } from '#lib/protocol/claims.ts'
import type { AuditRow as Row } from '#prisma/generated/sqlite/client.ts'
import type { Client, Tables } from '../client.ts'
import { adminRole } from './administrators.ts'
import { optional, subjectId } from './columns.ts'

const id = 'audit'

export function createAuditTrail(client: Client): AuditTrail {
  return {
    list: async (filter, before, limit) => {
      const where = { ...filter, ...(before === null ? {} : { seq: { lt: before } }) }
      const rows = await client.auditRow.findMany({ where, orderBy: { seq: 'desc' }, take: limit })
      return rows.map(auditFromRow)
    },
    find: async seq => {
      const row = await client.auditRow.findUnique({ where: { seq } })
      return row && auditFromRow(row)
    },
    read: async (after, limit) => {
      const where = { seq: { gt: after } }
      const rows = await client.auditRow.findMany({ where, orderBy: { seq: 'asc' }, take: limit })
      return rows.map(auditFromRow)
    },
    head: async () => {
      const row = await client.auditHead.findUnique({ where: { id } })
      return row === null || row.seq === 0 ? null : { seq: row.seq, hash: row.hash }
    },
  }
}

/** Makes later commits wait until this transaction ends: the chain has one end. */
export async function lockAudit(tables: Tables): Promise<void> {
  const update = { seq: { increment: 0 } }
  await tables.auditHead.upsert({ where: { id }, create: { id, seq: 0, hash: '' }, update })
}

/** Appends to the chain. `lockAudit` came first. */
export async function appendAudit(
  tables: Tables,
  { entries, hash, now }: { entries: readonly AuditEntry[]; hash: AuditHash; now: Date },
): Promise<void> {
  let head = (await tables.auditHead.findUnique({ where: { id } })) ?? { seq: 0, hash: '' }
  for (const entry of entries) {
    const unhashed = { ...entry, seq: head.seq + 1, time: now }
    const row = { ...unhashed, hash: hash(head.hash, unhashed) }
    const { before, after } = entry
    await tables.auditRow.create({ data: { ...row, before: toText(before), after: toText(after) } })
    head = row
  }
  await tables.auditHead.update({ where: { id }, data: { seq: head.seq, hash: head.hash } })
}

function toText(document: JsonValue | null): string | null {
  return document === null ? null : JSON.stringify(document)
}

function auditFromRow(row: Row): AuditRow {
  const targetKind = targetKinds.find(kind => kind === row.targetKind)
  if (targetKind === undefined) throw new TypeError('an audit row of a newer release')
  return {
    ...row,
    actor: optional(row.actor, subjectId),
    actorRole: optional(row.actorRole, adminRole),
    targetKind,
    before: optional(row.before, parsed),
    after: optional(row.after, parsed),
  }
}

function parsed(text: string): JsonValue {
  return JSON.parse(text)
}
