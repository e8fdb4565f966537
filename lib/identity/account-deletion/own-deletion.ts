/** The deletion of an account by its user. It waits for some days, in which the user can keep the account. */
import { inSession } from '#lib/ports/change-source.ts'
import type { PlannedChange } from '#lib/ports/planned-changes.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { Session } from '#lib/ports/sessions.ts'
import type { SubjectId } from '#lib/protocol/ids.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'
import { canonicalUsername } from '#lib/protocol/text/user-names.ts'
import { secondsAfter } from '#lib/protocol/time.ts'
import { deletionMail } from './deletion-mail.ts'

const kind = 'delete_account'

export type OwnDeletion =
  | { readonly kind: 'possible'; readonly username: string; readonly days: number }
  /** The user has asked for it. */
  | ({ readonly kind: 'planned' } & Pick<PlannedDeletion, 'createdAt' | 'dueAt' | 'isFinal'>)
  /** `administrator`: owners remove administrators. `managed`: the configuration file would create the account again. */
  | { readonly kind: 'impossible'; readonly why: 'administrator' | 'managed' }

export type PlannedDeletion = PlannedChange & {
  /** Whether the account can no longer be kept: the deletion is due, and the maintenance of any node may have started it. */
  readonly isFinal: boolean
}

/** Returns what the user can do; `null` if users cannot delete their accounts. */
export async function ownDeletion(
  ports: Ports,
  { subject }: Pick<Session, 'subject'>,
): Promise<OwnDeletion | null> {
  const planned = await plannedDeletion(ports, subject)
  if (planned !== null) {
    const { createdAt, dueAt, isFinal } = planned
    return { kind: 'planned', createdAt, dueAt, isFinal }
  }
  const policies = await ports.policies.current()
  const username = (await ports.userService.deletion?.nameOf(subject)) ?? null
  if (!policies.users_delete_accounts || username === null) return null
  if ((await ports.administrators.find(subject)) !== null) return { kind: 'impossible', why: 'administrator' }
  if (await ports.managedUsers.has(subject)) return { kind: 'impossible', why: 'managed' }
  return { kind: 'possible', username, days: policies.account_deletion_days }
}

/** Returns the planned deletion that the user has requested; `null` if none is planned. */
export async function plannedDeletion(
  { plannedChanges, clock }: Pick<Ports, 'plannedChanges' | 'clock'>,
  subject: SubjectId,
): Promise<PlannedDeletion | null> {
  const planned = (await plannedChanges.allOf(subject)).find(change => change.kind === kind)
  if (planned === undefined) return null
  const { dueAt, startedAt } = planned
  return { ...planned, isFinal: startedAt !== undefined || dueAt <= clock.now() }
}

export type DeletionRequest = { readonly session: Session; readonly typed: string }

/**
 * Plans the deletion after the user has typed the user name. A repetition keeps the earlier time. The mail about it has a link
 * to keep the account.
 */
export async function planDeletion(
  ports: Ports,
  { session, typed }: DeletionRequest,
  context: RequestContext,
): Promise<'planned' | 'wrong_name' | 'unavailable'> {
  const { subject } = session
  const own = await ownDeletion(ports, { subject })
  if (own?.kind === 'planned') return 'planned'
  if (own?.kind !== 'possible') return 'unavailable'
  if (canonicalUsername(typed) !== canonicalUsername(own.username)) return 'wrong_name'
  const createdAt = ports.clock.now()
  const change = { subject, kind, createdAt, dueAt: secondsAfter(createdAt, own.days * 86_400) } as const
  const mails = await deletionMail(ports, change, 'planned')
  const isPlanned = await ports.plannedChanges.plan(change, mails, inSession(session))
  ports.leavingUsers.forget()
  if (isPlanned)
    ports.events.record(
      { name: 'account_deletion_planned', outcome: 'success', subject, details: { days: own.days } },
      context,
    )
  return 'planned'
}

/** Keeps the account. Returns false if no deletion is planned, or it is final. */
export async function keepAccount(
  ports: Ports,
  subject: SubjectId,
  context: RequestContext,
): Promise<boolean> {
  const planned = await plannedDeletion(ports, subject)
  if (planned === null || planned.isFinal) return false
  const isKept = await ports.plannedChanges.cancel(planned, await deletionMail(ports, planned, 'kept'))
  ports.leavingUsers.forget()
  if (isKept) ports.events.record({ name: 'account_deletion_canceled', outcome: 'success', subject }, context)
  return isKept
}
