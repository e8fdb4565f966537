/** Carries out changes of accounts whose time has come, once for all nodes. */
import { plannedChanges as limits } from '#lib/config/limits.ts'
import { plainNotice } from '#lib/core/sign-in/security-notice.ts'
import type { Clock } from '#lib/ports/environment.ts'
import type { Events } from '#lib/ports/events.ts'
import type { SecurityChange } from '#lib/ports/mail.ts'
import type { NewDelivery } from '#lib/ports/outbox.ts'
import type {
  PlannedChange,
  PlannedChangeKind,
  PlannedChangePorts,
  PlannedChanges,
} from '#lib/ports/planned-changes.ts'
import type { SubjectId } from '#lib/protocol/ids.ts'
import { deletionMail, type MailPorts } from './account-deletion/deletion-mail.ts'

/** Reads the changes of a kind that are due at `until`, a bounded number at a time. */
export async function* dueChanges(
  plannedChanges: Pick<PlannedChanges, 'due'>,
  kind: PlannedChangeKind,
  until: Date,
): AsyncGenerator<PlannedChange> {
  let after: PlannedChange | null = null
  do {
    const batch: readonly PlannedChange[] = await plannedChanges.due(kind, {
      ...{ until, after, most: limits.readTogether },
    })
    yield* batch
    after = batch.length < limits.readTogether ? null : (batch.at(-1) ?? null)
  } while (after !== null)
}

/** Does the work for each change, also for those after a failed one, and then throws the first error. */
export async function forEachChange(
  changes: AsyncIterable<PlannedChange>,
  work: (change: PlannedChange) => Promise<void>,
): Promise<void> {
  const failures: unknown[] = []
  for await (const change of changes) await work(change).catch(error => failures.push(error))
  if (failures.length > 0) throw failures[0]
}

export type CarryingOut = PlannedChangePorts & {
  readonly clock: Clock
  readonly events: Events
  readonly securityNotice: (subject: SubjectId, change: SecurityChange) => Promise<readonly NewDelivery[]>
  readonly newRequestId: () => string
}

/** Removes the passkeys that users reported as lost. */
export function removeLostPasskeys(parts: CarryingOut): Promise<void> {
  const { plannedChanges, clock, events, securityNotice, newRequestId } = parts
  return forEachChange(dueChanges(plannedChanges, 'remove_passkeys', clock.now()), async change => {
    const { subject } = change
    const notices = await securityNotice(subject, 'passkeys_lost_removed')
    if (!(await plannedChanges.removePasskeys(change, { now: clock.now(), notices }))) return
    const context = { requestId: newRequestId(), address: null, userAgent: null }
    events.record({ name: 'lost_passkeys_removed', outcome: 'success', subject }, context)
  })
}

/** Makes the mail about a change that an administrator canceled. It has no link: the user asks an administrator. */
export function canceledNotice(ports: MailPorts, change: PlannedChange): Promise<readonly NewDelivery[]> {
  return change.kind === 'delete_account'
    ? deletionMail(ports, change, 'kept_by_administrator')
    : plainNotice(ports, change.subject, 'passkeys_lost_canceled')
}
