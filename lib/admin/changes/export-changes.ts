/** The audit trail as a table for spreadsheets. The export is recorded in the audit trail itself. */
import { z } from 'zod'
import { adminList } from '#lib/config/limits.ts'
import type { StoredAuditRow } from '#lib/ports/admin-store.ts'
import { csvOf } from '../csv.ts'
import { commit } from '../run-use-case.ts'
import { defineUseCase } from '../use-case.ts'
import { changeFilterSchema, readChanges } from './read-changes.ts'

const head = [
  'change',
  'time',
  'actor',
  'actor_role',
  'action',
  'target_kind',
  'target_id',
  'before',
  'after',
  'request_id',
  'address',
]

export const exportChanges = defineUseCase({
  name: 'changes.export',
  permission: 'audit:read',
  summary: 'Exports the newest changes that match a filter as CSV.',
  done: 'Changes exported.',
  isSensitive: true,
  input: changeFilterSchema,
  output: z.object({ csv: z.string() }),
  api: null,
  run: async (ports, filter, { now, entry }) => {
    const { rows } = await readChanges(ports, filter, null, adminList.exported)
    const after = { filter: JSON.parse(JSON.stringify(filter)), rows: rows.length }
    const audit = [entry({ kind: 'configuration', id: 'changes', before: null, after })]
    return commit(ports, { writes: [], audit }, { now, value: { csv: csvOf([head, ...rows.map(cellsOf)]) } })
  },
})

function cellsOf({ seq, row }: StoredAuditRow): readonly string[] {
  if (row === null) return [String(seq), ...head.slice(1).map(() => 'damaged')]
  return [
    String(seq),
    row.time.toISOString(),
    row.actor ?? 'operator',
    row.actorRole ?? '',
    row.action,
    row.targetKind,
    row.targetId,
    row.before === null ? '' : JSON.stringify(row.before),
    row.after === null ? '' : JSON.stringify(row.after),
    row.referenceId,
    row.address ?? '',
  ]
}
