/** Reading the audit trail: who changed what, with what stood before and after. */
import { z } from 'zod'
import { type AuditRow, targetKinds } from '#lib/ports/admin-store.ts'
import { adminRoleSchema } from '#lib/protocol/admin-role.ts'
import { jsonValueSchema } from '#lib/protocol/json-value.ts'
import { ok } from '../admin-result.ts'
import { nextToken, pageFields, pageRequest } from '../paging.ts'
import { defineUseCase } from '../use-case.ts'

const changeSchema = z.object({
  time: z.string(),
  action: z.string().describe('The use case.'),
  actor: z.string().nullable().describe('null: the operator, by file or command line.'),
  actor_role: adminRoleSchema.nullable(),
  target_kind: z.enum(targetKinds),
  target_id: z.string(),
  before: jsonValueSchema,
  after: jsonValueSchema,
  reference: z.string(),
  address: z.string().nullable(),
})

const numberedSchema = z.object({
  seq: z.number(),
  change: changeSchema.nullable().describe('null: what lies there was altered, or a newer release wrote it.'),
})

export const listChanges = defineUseCase({
  name: 'changes.list',
  permission: 'audit:read',
  summary:
    'Lists what administrators changed, newest first, with what stood before and after; never a secret.',
  done: '',
  input: z.strictObject(pageFields),
  output: z.object({ items: z.array(numberedSchema), next: z.string().nullable() }),
  api: { method: 'GET', path: '/changes' },
  run: async (ports, { after, limit }) => {
    const listed = { list: 'changes', filter: null }
    const { after: before } = pageRequest(ports, listed, after, limit)
    const rows = await ports.adminStore.audit.page(before === null ? null : Number(before), limit)
    const last = rows.at(-1)
    const next = last === undefined || last.seq === 1 ? null : String(last.seq)
    return ok({
      items: rows.map(({ seq, row }) => ({ seq, change: row && changeView(row) })),
      next: nextToken(ports, listed, { items: rows, next }),
    })
  },
})

function changeView(row: AuditRow): z.infer<typeof changeSchema> {
  return {
    time: row.time.toISOString(),
    action: row.action,
    actor: row.actor,
    actor_role: row.actorRole,
    target_kind: row.targetKind,
    target_id: row.targetId,
    before: row.before,
    after: row.after,
    reference: row.referenceId,
    address: row.address,
  }
}
