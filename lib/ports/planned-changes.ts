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
  /** The time of the last attempt to delete the account. From the first one on, the deletion cannot be canceled. */
  readonly startedAt?: Date
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
  /**
   * Cancels a change and stores the messages about it. Returns true for exactly one caller; false also if the change has been
   * started.
   */
  readonly cancel: (change: NamedChange, notices: readonly NewDelivery[]) => Promise<boolean>
  /** Returns the changes of a kind that are due, those that have been due longest first. */
  readonly due: (kind: PlannedChangeKind, which: DueChanges) => Promise<readonly PlannedChange[]>
  /**
   * Starts a change that was read, so that it can no longer be canceled. Returns true for exactly one caller, and again for
   * one after `repeatSeconds`; false if the change has ended, or was planned again, since it was read.
   */
  readonly start: (
    change: PlannedChange,
    { now, repeatSeconds }: { readonly now: Date; readonly repeatSeconds: number },
  ) => Promise<boolean>
  /**
   * Removes the passkeys that existed when their removal was planned, and stores the messages about it, in one transaction.
   * Returns true for exactly one caller; false if the change has ended, or was planned again, since it was read.
   */
  readonly removePasskeys: (
    change: PlannedChange,
    { now, notices }: { readonly now: Date; readonly notices: readonly NewDelivery[] },
  ) => Promise<boolean>
}

/** Selects changes that are due at `until`, after the change `after` in their order; `null`: from the first one. */
export type DueChanges = {
  readonly until: Date
  readonly after: PlannedChange | null
  readonly most: number
}

/** Ends a planned change with an audit row. It is `gone` if the change has ended, was planned again, or can no longer be canceled. */
export type PlannedChangeWrite =
  | {
      readonly kind: 'cancel_planned_change'
      readonly change: NamedChange
      readonly notices: readonly NewDelivery[]
    }
  /** Deletes the user with everything that this server stores about the subject, also if another user service has the user. */
  | {
      readonly kind: 'delete_account'
      readonly change: PlannedChange
      readonly notices: readonly NewDelivery[]
    }
