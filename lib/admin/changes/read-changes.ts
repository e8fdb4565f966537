/** Reads the audit log: who changed what and when, with the values before and after. */
import { z } from 'zod'
import { adminList } from '#lib/config/limits.ts'
import { type AuditFilter, type AuditRow, type StoredAuditRow, targetKinds } from '#lib/ports/admin-store.ts'
import { adminRoleSchema } from '#lib/protocol/admin-role.ts'
import { type JsonValue, jsonValueSchema } from '#lib/protocol/claims.ts'
import { subjectIdSchema } from '#lib/protocol/ids.ts'
import { secondsAfter } from '#lib/protocol/time.ts'
import type { AdminPorts } from '../admin-ports.ts'
import { ok } from '../admin-result.ts'
import { type Columns, defineExport, linesOf } from '../csv.ts'
import { nextToken, pageFields, pageRequest } from '../paging.ts'
import { defineUseCase, type UseCase } from '../use-case.ts'
import { viewOf } from '../view.ts'

const changeSchema = z.object({
  time: z.string(),
  action: z.string().describe('The use case.'),
  actor: z.string().nullable().describe('null: the operator, by file or command line.'),
  actor_role: adminRoleSchema.nullable(),
  target_kind: z.enum(targetKinds),
  target_id: z.string(),
  before: jsonValueSchema,
  after: jsonValueSchema,
  request_id: z.string(),
  address: z.string().nullable(),
})

const numberedSchema = z.object({
  seq: z.number(),
  change: changeSchema.nullable().describe('null: what lies there was altered, or a newer release wrote it.'),
})

/** Filters of the list and of the export of changes. */
export const changeFilterSchema = z.strictObject({
  actor: subjectIdSchema
    .optional()
    .describe('The subject of the administrator or client that made the change.'),
  target_kind: z.enum(targetKinds).optional(),
  target_id: z.string().min(1).max(600).optional(),
  action: z.string().min(1).max(100).optional().describe('The use case, such as `clients.update`.'),
  from: z.iso.date().optional().describe('The first day, in UTC.'),
  until: z.iso.date().optional().describe('The last day, in UTC.'),
})

export type ChangeFilter = z.output<typeof changeFilterSchema>

export const listChanges = defineUseCase({
  name: 'changes.list',
  permission: 'audit:read',
  summary:
    'Lists what administrators changed, newest first, with the values before and after; never a secret.',
  input: changeFilterSchema.extend(pageFields),
  output: z.object({ items: z.array(numberedSchema), next: z.string().nullable() }),
  api: { method: 'GET', path: '/changes' },
  run: async (ports, { after, limit, ...filter }) => {
    const listed = { list: 'changes', filter: JSON.parse(JSON.stringify(filter)) }
    const asked = pageRequest(ports, listed, after, limit)
    const before = asked.after === null ? null : Number(asked.after)
    const { rows, next } = await readChanges(ports, filter, before, limit)
    const items = rows.map(({ seq, row }) => ({ seq, change: row && viewOf(changeSchema, row, {}) }))
    return ok({ items, next: nextToken(ports, listed, { items, next: next === null ? null : String(next) }) })
  },
})

/**
 * Reads one page of changes, newest first, damaged rows included. `next`: the value of `before` for the next page; `null` on the
 * last page.
 */
export async function readChanges(
  { adminStore }: Pick<AdminPorts, 'adminStore'>,
  filter: ChangeFilter,
  before: number | null,
  limit: number,
): Promise<{ readonly rows: readonly StoredAuditRow[]; readonly next: number | null }> {
  const rows = await adminStore.audit.page(auditFilter(filter), before, limit + 1)
  const page = rows.slice(0, limit)
  return { rows: page, next: rows.length > limit ? (page.at(-1)?.seq ?? null) : null }
}

function auditFilter({ actor, target_kind, target_id, action, from, until }: ChangeFilter): AuditFilter {
  return {
    ...(actor === undefined ? {} : { actor }),
    ...(target_kind === undefined ? {} : { targetKind: target_kind }),
    ...(target_id === undefined ? {} : { targetId: target_id }),
    ...(action === undefined ? {} : { action }),
    ...(from === undefined ? {} : { from: new Date(from) }),
    ...(until === undefined ? {} : { until: secondsAfter(new Date(until), secondsInDay) }),
  }
}

const secondsInDay = 86_400

export const exportChanges = defineExport({
  name: 'changes.export',
  permission: 'audit:read',
  summary: 'Exports the newest changes that match a filter as CSV.',
  input: changeFilterSchema,
  audited: 'changes',
  read: async (ports, filter) => {
    const { rows } = await readChanges(ports, filter, null, adminList.exported)
    return { noted: { filter }, lines: linesOf(columns, rows) }
  },
})

const cell =
  (read: (row: AuditRow) => string | null) =>
  ({ row }: StoredAuditRow) =>
    row === null ? 'damaged' : read(row)
const json = (value: JsonValue | null) => (value === null ? null : JSON.stringify(value))

const columns: Columns<StoredAuditRow> = {
  change: ({ seq }) => String(seq),
  time: cell(({ time }) => time.toISOString()),
  actor: cell(({ actor }) => actor ?? 'operator'),
  actor_role: cell(({ actorRole }) => actorRole),
  action: cell(({ action }) => action),
  target_kind: cell(({ targetKind }) => targetKind),
  target_id: cell(({ targetId }) => targetId),
  before: cell(({ before }) => json(before)),
  after: cell(({ after }) => json(after)),
  request_id: cell(({ requestId }) => requestId),
  address: cell(({ address }) => address),
}

export const changeUseCases: readonly UseCase[] = [listChanges, exportChanges]
