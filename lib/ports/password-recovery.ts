/** Passwords that users have forgotten. */
import type { SubjectId } from '#lib/protocol/ids.ts'
import type { CheckCaller } from './check-caller.ts'
import type { Mailbox } from './users.ts'

export type PasswordRecovery = {
  /**
   * Returns the accounts that a user means: the one with this user name, else those with this verified address. The order
   * and time of the look-ups may differ: no caller waits for them.
   */
  readonly find: (typed: string) => Promise<readonly RecoverableAccount[]>
  /** Returns the account as it is now; `null` if it no longer exists. */
  readonly read: (subject: SubjectId) => Promise<RecoverableAccount | null>
  /**
   * Stores the new password, only if the account still has this `state`. Calls `consume` directly before the write, and
   * stores nothing if it returns false: it uses up the link. Returns whether the password was stored. This server then
   * ends the sessions and grants of the user.
   */
  readonly setPassword: (
    account: RecoverableAccount,
    password: string,
    change: {
      readonly now: Date
      readonly consume: () => Promise<boolean>
      /** The caller, for a queue of expensive work. */
      readonly caller: CheckCaller
    },
  ) => Promise<boolean>
}

export type RecoverableAccount = {
  readonly subject: SubjectId
  readonly username: string
  /** `no_password`: the user signs in in other ways. `locked`: the user may not sign in. */
  readonly kind: 'password' | 'no_password' | 'locked'
  /** A text that changes with the password, with locking, and with the address. It is stored as a digest. */
  readonly state: string
  /** The verified address; `null`: there is none, so no mail is sent. */
  readonly mailbox: Mailbox | null
  /** Words about the user, which the password must not resemble. */
  readonly words: readonly string[]
}
