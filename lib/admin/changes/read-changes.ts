/** Reading the audit trail: who changed what, with what stood before and after. */
import { z } from 'zod'
import { type AuditRow, type StoredAuditRow, targetKinds } from '#lib/ports/admin-store.ts'
import { adminRoleSchema } from '#lib/protocol/admin-role.ts'
import { jsonValueSchema } from '#lib/protocol/json-value.ts'
import type { AdminPorts } from '../admin-ports.ts'
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
    const asked = pageRequest(ports, listed, after, limit)
    const { rows, next } = await readChanges(ports, asked.after === null ? null : Number(asked.after), limit)
    const items = rows.map(({ seq, row }) => ({ seq, change: row && changeView(row) }))
    return ok({ items, next: nextToken(ports, listed, { items, next: next === null ? null : String(next) }) })
  },
})

/** Newest first, with those that are damaged. `next`: where the page after this one begins, `null` at the first change. */
export async function readChanges(
  { adminStore }: Pick<AdminPorts, 'adminStore'>,
  before: number | null,
  limit: number,
): Promise<{ readonly rows: readonly StoredAuditRow[]; readonly next: number | null }> {
  const rows = await adminStore.audit.page(before, limit)
  const last = rows.at(-1)
  return { rows, next: last === undefined || last.seq === 1 ? null : last.seq }
}

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
