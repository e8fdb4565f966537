/** Changes of accounts that their users did not make, and took back with the link in the mail about the change. */
import type { SubjectId } from '#lib/protocol/ids.ts'
import type { NewDelivery } from './outbox.ts'

export type TakenBackChangePorts = { readonly takenBackChanges: TakenBackChanges }

/** A change of which the user was informed by mail. */
export type ReportedChange = {
  /** The ID of the link in the mail. */
  readonly id: string
  readonly subject: SubjectId
  readonly at: Date
}

/** The parts of an account in this server's store that are taken back. */
export type RestoredAccount = {
  /** The address that was verified before the change. A user name that is the replaced address becomes this one, if it is free. */
  readonly address: string
  /** A hash that matches no password. It replaces the stored one, if the account has a password. */
  readonly unusableHash: string
}

export type TakenBackChanges = {
  /**
   * Whether the link no longer works: it was used, or the change was taken back together with an earlier one. The time of
   * the change decides: everything since an earlier one was taken back with it.
   */
  readonly isTakenBack: (change: Omit<ReportedChange, 'id'>) => Promise<boolean>
  /**
   * Takes back a change and every later one, in one transaction: removes the passkeys, the authenticator app, the recovery
   * codes, the links to identity providers (which no address links again), and the planned changes that were added since; ends every session, grant, trusted
   * browser and mail proof of the subject; restores the account, and stores the messages. Returns true for exactly one caller; false, and
   * nothing is changed, if the change was taken back before, or the account was created after it or deleted.
   * @param account `null`: the account is in the store of a custom user service
   */
  readonly takeBack: (
    change: ReportedChange,
    taking: {
      readonly now: Date
      readonly expiresAt: Date
      readonly account: RestoredAccount | null
      readonly notices: readonly NewDelivery[]
    },
  ) => Promise<boolean>
  /** Counts the accounts with a change that was taken back since this time. */
  readonly countSince: (since: Date) => Promise<number>
}
