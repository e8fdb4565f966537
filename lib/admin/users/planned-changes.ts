/** The changes of an account that wait, and canceling them for the user. */
import { z } from 'zod'
import { plannedChangeKinds } from '#lib/ports/planned-changes.ts'
import { subjectIdSchema } from '#lib/protocol/ids.ts'
import { denied, notFound, ok } from '../admin-result.ts'
import { commit, defineUseCase } from '../use-case.ts'
import { viewOf } from '../view.ts'
import { refusalToTouch } from './user-resource.ts'

const kindSchema = z
  .enum(plannedChangeKinds)
  .describe('`delete_account`: the user deletes the account. `remove_passkeys`: the user has lost them.')

const plannedSchema = z.object({
  kind: kindSchema,
  created_at: z.string(),
  due_at: z.string(),
  started_at: z
    .string()
    .nullable()
    .describe('The time of the last attempt to carry it out. From the first one on, it cannot be canceled.'),
})

export type PlannedView = z.output<typeof plannedSchema>

export const listPlannedChanges = defineUseCase({
  name: 'users.list_planned_changes',
  permission: 'users:read',
  summary: 'Lists the changes of an account that the user asked for and that wait.',
  input: z.object({ sub: subjectIdSchema }),
  output: z.object({ items: z.array(plannedSchema) }),
  api: { method: 'GET', path: '/users/{sub}/planned-changes' },
  run: async ({ plannedChanges }, { sub }) => {
    const items = await plannedChanges.allOf(sub)
    return ok({
      items: items.map(item =>
        viewOf(plannedSchema, item, { started_at: item.startedAt?.toISOString() ?? null }),
      ),
    })
  },
})

export const cancelPlannedChange = defineUseCase({
  name: 'users.cancel_planned_change',
  permission: 'users:update',
  summary: 'Cancels a change of an account that waits. The account stays as it is.',
  done: 'The change is canceled. The account stays as it is.',
  input: z.object({ sub: subjectIdSchema, kind: kindSchema }),
  output: z.object({ sub: z.string(), kind: kindSchema }),
  api: { method: 'DELETE', path: '/users/{sub}/planned-changes/{kind}' },
  run: async (ports, { sub, kind }, call) => {
    const refusal = await refusalToTouch(ports, sub, call)
    if (refusal !== null) return refusal
    const planned = (await ports.plannedChanges.allOf(sub)).find(change => change.kind === kind)
    if (planned === undefined) return notFound
    if (planned.startedAt !== undefined) return denied('It has started, and can no longer be canceled.')
    const before = { planned: kind, due_at: planned.dueAt.toISOString() }
    const audit = [call.entry({ kind: 'user', id: sub, before, after: { planned: null } })]
    const notices = await ports.canceledNotice(planned)
    const writes = [{ kind: 'cancel_planned_change', change: planned, notices } as const]
    return commit(ports, { writes, audit }, { now: call.now, value: { sub, kind } })
  },
})
