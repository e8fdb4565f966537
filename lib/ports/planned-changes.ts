/** Changes of accounts that wait, so that their user can cancel them. */
import type { SubjectId } from '#lib/protocol/ids.ts'
import type { ChangeSource } from './change-source.ts'
import type { NewDelivery } from './outbox.ts'

export type PlannedChangePorts = { readonly plannedChanges: PlannedChanges }

/** `delete_account`: the user deletes the account. `remove_passkeys`: the user has lost them. */
export const plannedChangeKinds = ['delete_account', 'remove_passkeys'] as const
export type PlannedChangeKind = (typeof plannedChangeKinds)[number]

export type PlannedChange = {
  readonly subject: SubjectId
  readonly kind: PlannedChangeKind
  readonly createdAt: Date
  /** The time from which the change is carried out. */
  readonly dueAt: Date
}

type NamedChange = Pick<PlannedChange, 'subject' | 'kind'>

/**
 * A subject has at most one planned change of each kind. Deleting the user ends them, and each use of a passkey after
 * `createdAt` ends the removal of the passkeys.
 */
export type PlannedChanges = {
  /**
   * Plans a change and stores the messages about it, in one transaction. Returns false, and stores nothing, if the subject
   * already has one of this kind: its time does not move; or if `within` no longer exists.
   */
  readonly plan: (
    change: PlannedChange,
    notices: readonly NewDelivery[],
    within?: ChangeSource,
  ) => Promise<boolean>
  /** Returns the planned changes of a subject, the earliest first. */
  readonly allOf: (subject: SubjectId) => Promise<readonly PlannedChange[]>
  /** Cancels a change and stores the messages about it. Returns true for exactly one caller. */
  readonly cancel: (change: NamedChange, notices: readonly NewDelivery[]) => Promise<boolean>
  /** Returns changes that are due, those that have been due longest first. */
  readonly due: (now: Date, most: number) => Promise<readonly PlannedChange[]>
  /**
   * Carries out a change that was read, and stores the messages about it, in one transaction: `delete_account` deletes the
   * user with everything that belongs to the subject, `remove_passkeys` the passkeys that existed when it was planned. Returns
   * true for exactly one caller; false if the change has ended, or was planned again, since it was read.
   */
  readonly carryOut: (
    change: PlannedChange,
    { now, notices }: { readonly now: Date; readonly notices: readonly NewDelivery[] },
  ) => Promise<boolean>
}
