/** Carries out changes of accounts whose time has come, once for all nodes. */
import { plannedChanges as limits } from '#lib/config/limits.ts'
import type { Clock } from '#lib/ports/environment.ts'
import type { EventName } from '#lib/ports/event-names.ts'
import type { Events } from '#lib/ports/events.ts'
import type { SecurityChange } from '#lib/ports/mail.ts'
import type { NewDelivery } from '#lib/ports/outbox.ts'
import type { PlannedChange, PlannedChangeKind, PlannedChangePorts } from '#lib/ports/planned-changes.ts'
import type { SubjectId } from '#lib/protocol/ids.ts'

export type CarryingOut = PlannedChangePorts & {
  readonly clock: Clock
  readonly events: Events
  readonly securityNotice: (subject: SubjectId, change: SecurityChange) => Promise<readonly NewDelivery[]>
  readonly newRequestId: () => string
}

type Meaning = {
  /** The name of the event. */
  readonly name: EventName
  /** The mail about the change; `null`: none. */
  readonly mail: SecurityChange | null
}

const meanings: Readonly<Partial<Record<PlannedChangeKind, Meaning>>> = {
  remove_passkeys: { name: 'lost_passkeys_removed', mail: 'passkeys_lost_removed' },
}

/** Carries out the due changes. Returns their number. */
export async function carryOutDueChanges(parts: CarryingOut): Promise<number> {
  const { plannedChanges, clock } = parts
  const due = await plannedChanges.due(clock.now(), limits.carriedOutAtOnce)
  let count = 0
  for (const change of due) if (await carryOut(parts, change)) count += 1
  return count
}

async function carryOut(
  { plannedChanges, clock, events, securityNotice, newRequestId }: CarryingOut,
  change: PlannedChange,
): Promise<boolean> {
  const { subject, kind } = change
  const meaning = meanings[kind]
  if (meaning === undefined) return false
  const notices = meaning.mail === null ? [] : await securityNotice(subject, meaning.mail)
  if (!(await plannedChanges.carryOut(change, { now: clock.now(), notices }))) return false
  const context = { requestId: newRequestId(), address: null, userAgent: null }
  events.record({ name: meaning.name, outcome: 'success', subject }, context)
  return true
}
