/** The audit rows: appended to a chain, never changed. */
import {
  type AuditEntry,
  type AuditFilter,
  type AuditHash,
  type AuditRow,
  type AuditTrail,
  targetKinds,
} from '#lib/ports/admin-store.ts'
import { adminRoles } from '#lib/protocol/admin-role.ts'
import type { JsonValue } from '#lib/protocol/claims.ts'
import type { AuditRow as Row } from '#prisma/generated/sqlite/client.ts'
import type { Dialect, ReadOnlyDatabase, Tables } from '../../database.ts'
import { isDuplicate } from '../../database-errors.ts'
import { batchesOf, equals, insertByDialect, subjectId, type Writing } from '../rows.ts'

const id = 'audit'

export function createAuditTrail(database: ReadOnlyDatabase): AuditTrail {
  const newest = (filter: AuditFilter, before: number | null, take: number) => {
    const where = { ...conditions(filter), ...(before === null ? {} : { seq: { lt: before } }) }
    return database.auditRow.findMany({ where, orderBy: { seq: 'desc' }, take })
  }
  return {
    list: async (filter, before, limit) =>
      (await newest(filter, before, limit)).flatMap(row => auditFromRow(row) ?? []),
    page: async (filter, before, limit) =>
      (await newest(filter, before, limit)).map(row => ({ seq: row.seq, row: auditFromRow(row) })),
    find: async seq => {
      const row = await database.auditRow.findUnique({ where: { seq } })
      return row && auditFromRow(row)
    },
    read: async (after, limit) => {
      const where = { seq: { gt: after } }
      const rows = await database.auditRow.findMany({ where, orderBy: { seq: 'asc' }, take: limit })
      return rows.map(row => ({ seq: row.seq, row: auditFromRow(row) }))
    },
    head: async () => {
      const row = await database.auditHead.findUnique({ where: { id } })
      return row === null || row.seq === 0 ? null : { seq: row.seq, hash: row.hash }
    },
  }
}

/** Makes later commits wait until this transaction ends, so that the chain cannot fork. */
export async function lockAudit(tables: Tables): Promise<void> {
  const update = { seq: { increment: 0 } }
  await tables.auditHead.upsert({ where: { id }, create: { id, seq: 0, hash: '' }, update })
}

/** Appends rows to the chain. Must be called after `lockAudit`. */
export async function appendAudit(
  tables: Tables,
  {
    entries,
    hash,
    now,
    dialect,
  }: Writing & { readonly entries: readonly AuditEntry[]; readonly hash: AuditHash },
): Promise<void> {
  let head = (await tables.auditHead.findUnique({ where: { id } })) ?? { seq: 0, hash: '' }
  for (const batch of batchesOf(entries)) {
    const rows: AuditRow[] = []
    for (const entry of batch) {
      const unhashed = { ...entry, seq: head.seq + 1, time: now }
      const row = { ...unhashed, hash: hash(head.hash, unhashed) }
      rows.push(row)
      head = row
    }
    await append(tables, rows, dialect)
  }
  await tables.auditHead.update({ where: { id }, data: { seq: head.seq, hash: head.hash } })
}

const insertAudit = insertByDialect<Row>('AuditRow')

async function append(tables: Tables, rows: readonly AuditRow[], dialect: Dialect): Promise<void> {
  const data = rows.map(row => ({ ...row, before: toText(row.before), after: toText(row.after) }))
  try {
    await tables.$executeRaw(insertAudit[dialect](data).whole)
  } catch (error) {
    if (!isDuplicate(error)) throw error
    throw new Error('The audit trail goes on behind its end. Run npm run audit:verify.', { cause: error })
  }
}

function toText(document: JsonValue | null): string | null {
  return document === null ? null : JSON.stringify(document)
}

/**
 * Builds the conditions of a filter. NOTE: Prisma's check refuses `undefined`, so conditions that were not given are
 * left out.
 */
function conditions({ targetKind, targetId, actor, action, from, until }: AuditFilter) {
  return {
    ...(targetKind === undefined ? {} : { targetKind: equals(targetKind) }),
    ...(targetId === undefined ? {} : { targetId: equals(targetId) }),
    ...(actor === undefined ? {} : { actor: actor === null ? null : equals(actor) }),
    ...(action === undefined ? {} : { action: equals(action) }),
    ...(from === undefined && until === undefined
      ? {}
      : { time: { ...given('gte', from), ...given('lt', until) } }),
  }
}

function given(name: 'gte' | 'lt', time: Date | undefined) {
  return time === undefined ? {} : { [name]: time }
}

/**
 * Returns `null` if the stored row cannot come from this code: it has an unknown target kind or role, or a document
 * that this code would serialize differently.
 */
function auditFromRow(row: Row): AuditRow | null {
  const targetKind = targetKinds.find(kind => kind === row.targetKind)
  const actorRole = row.actorRole === null ? null : adminRoles.find(role => role === row.actorRole)
  const [before, after] = [documentOf(row.before), documentOf(row.after)]
  if (targetKind === undefined || actorRole === undefined) return null
  if (before === undefined || after === undefined) return null
  return {
    ...row,
    actor: row.actor === null ? null : subjectId(row.actor),
    actorRole,
    targetKind,
    before,
    after,
  }
}

/** Parses a stored document; `undefined` if the text is not exactly its stored form. */
function documentOf(text: string | null): JsonValue | null | undefined {
  if (text === null) return null
  try {
    const document: JsonValue = JSON.parse(text)
    return toText(document) === text ? document : undefined
  } catch {
    return undefined
  }
}
