/** Carries out the deletions that users asked for, and reminds users of them; see `plannedChanges`. */
import { accountDeletion as limits } from '#lib/config/limits.ts'
import type { AdminStore, AuditEntry } from '#lib/ports/admin-store.ts'
import type { PlannedChange } from '#lib/ports/planned-changes.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { SubjectId } from '#lib/protocol/ids.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'
import { secondsAfter } from '#lib/protocol/time.ts'
import { dueChanges, forEachChange } from '../planned-changes.ts'
import { deletionMail } from './deletion-mail.ts'

export type DeletionPorts = Pick<
  Ports,
  | 'plannedChanges'
  | 'administrators'
  | 'managedUsers'
  | 'userService'
  | 'usedIds'
  | 'outbox'
  | 'mail'
  | 'random'
  | 'sealing'
  | 'clock'
  | 'events'
> & { readonly adminStore: Pick<AdminStore, 'commit'> }

const kind = 'delete_account'

/** Deletes the accounts that are due, and sends the last mail to the users of those that are due soon. */
export async function carryOutDeletions(ports: DeletionPorts, context: RequestContext): Promise<void> {
  const now = ports.clock.now()
  const changes = dueChanges(ports.plannedChanges, kind, secondsAfter(now, limits.remindSeconds))
  await forEachChange(changes, change =>
    change.dueAt > now ? remind(ports, change) : carryOut(ports, change, context),
  )
}

/** Deletes the account, unless its user has become an administrator, or the configuration file now sets it. */
async function carryOut(ports: DeletionPorts, change: PlannedChange, context: RequestContext): Promise<void> {
  if (change.startedAt === undefined && (await mustStay(ports, change.subject)))
    return keep(ports, change, context)
  // Afterwards the user service no longer knows the address
  const notices = await deletionMail(ports, change, 'deleted')
  if (!(await deleteElsewhere(ports, change))) return
  const write = { kind: 'delete_account', change, notices } as const
  const audit = [auditEntry(change, context)]
  const result = await ports.adminStore.commit({ writes: [write], audit }, ports.clock.now())
  // LG-07: the event does not name the deleted user
  if (result.kind === 'done') ports.events.record({ name: 'account_deleted', outcome: 'success' }, context)
  else if (result.kind !== 'gone') throw new Error(`An account was not deleted: ${result.kind}.`)
}

/**
 * Deletes the part of a custom user service, before this server deletes its part with the planned change: if either fails, a
 * later run repeats both. Returns false if the change was canceled, or another node deletes the account. NOTE: the start decides,
 * so that an account is not half deleted when it is kept at the same time.
 */
async function deleteElsewhere(ports: DeletionPorts, change: PlannedChange): Promise<boolean> {
  const { deletion } = ports.userService
  if (deletion?.remove === undefined) return true
  const attempt = { now: ports.clock.now(), repeatSeconds: limits.repeatSeconds }
  if (!(await ports.plannedChanges.start(change, attempt))) return false
  await deletion.remove(change.subject)
  return true
}

async function mustStay(ports: DeletionPorts, subject: SubjectId): Promise<boolean> {
  return (await ports.administrators.find(subject)) !== null || (await ports.managedUsers.has(subject))
}

async function keep(ports: DeletionPorts, change: PlannedChange, context: RequestContext): Promise<void> {
  const { subject } = change
  if (await ports.plannedChanges.cancel(change, await deletionMail(ports, change, 'kept')))
    ports.events.record({ name: 'account_deletion_canceled', outcome: 'success', subject }, context)
}

/** Makes the audit row. The user is its actor: no administrator took part. */
function auditEntry({ subject, createdAt, dueAt }: PlannedChange, context: RequestContext): AuditEntry {
  return {
    ...{ action: 'users.delete_own', actor: subject, actorRole: null },
    ...{ targetKind: 'user', targetId: subject },
    before: { planned: kind, created_at: createdAt.toISOString(), due_at: dueAt.toISOString() },
    ...{ after: null, requestId: context.requestId, address: context.address },
  }
}

/** Sends the last mail before the deletion, once on all nodes. Not if the first mail was sent as late. */
async function remind(ports: DeletionPorts, change: PlannedChange): Promise<void> {
  const { subject, createdAt, dueAt } = change
  if (secondsAfter(createdAt, 2 * limits.remindSeconds) > dueAt) return
  const id = `deletion-reminder:${subject}:${createdAt.getTime()}`
  if (await ports.usedIds.claim(id, secondsAfter(dueAt, limits.remindSeconds)))
    await ports.outbox.put(await deletionMail(ports, change, 'soon'))
}
