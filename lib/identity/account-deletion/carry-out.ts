/** Carries out the deletions that users asked for, and reminds users of them; see `plannedChanges`. */
import { accountDeletion as limits } from '#lib/config/limits.ts'
import type { PlannedChange } from '#lib/ports/planned-changes.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'
import { secondsAfter } from '#lib/protocol/time.ts'
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
>

/** Deletes the accounts that are due, at most `limits.together`, and sends the last mail to those that are due soon. */
export async function carryOutDeletions(ports: DeletionPorts, context: RequestContext): Promise<void> {
  const now = ports.clock.now()
  const changes = await ports.plannedChanges.due(secondsAfter(now, limits.remindSeconds), limits.together)
  const failures: unknown[] = []
  for (const change of changes.filter(({ kind }) => kind === 'delete_account')) {
    const step = change.dueAt > now ? remind(ports, change) : carryOut(ports, change, context)
    await step.catch(error => failures.push(error))
  }
  // One account that cannot be deleted must not keep the others
  if (failures.length > 0) throw failures[0]
}

/**
 * Deletes the account, unless its user has become an administrator, or the configuration file now sets it. A custom user
 * service deletes its part first: if that fails, the next run repeats it.
 */
async function carryOut(ports: DeletionPorts, change: PlannedChange, context: RequestContext): Promise<void> {
  const { subject } = change
  const isKept =
    (await ports.administrators.find(subject)) !== null || (await ports.managedUsers.has(subject))
  if (isKept) {
    const isCanceled = await ports.plannedChanges.cancel(change, await deletionMail(ports, change, 'kept'))
    if (isCanceled)
      ports.events.record({ name: 'account_deletion_canceled', outcome: 'success', subject }, context)
    return
  }
  const notices = await deletionMail(ports, change, 'deleted')
  await ports.userService.deletion?.remove?.(subject)
  const isDeleted = await ports.plannedChanges.carryOut(change, { now: ports.clock.now(), notices })
  // LG-07: the event does not name the deleted user
  if (isDeleted) ports.events.record({ name: 'account_deleted', outcome: 'success' }, context)
}

/** Sends the last mail before the deletion, once on all nodes. Not if the first mail was sent as late. */
async function remind(ports: DeletionPorts, change: PlannedChange): Promise<void> {
  const { subject, createdAt, dueAt } = change
  if (secondsAfter(createdAt, 2 * limits.remindSeconds) > dueAt) return
  const id = `deletion-reminder:${subject}:${createdAt.getTime()}`
  if (await ports.usedIds.claim(id, secondsAfter(dueAt, limits.remindSeconds)))
    await ports.outbox.put(await deletionMail(ports, change, 'soon'))
}
