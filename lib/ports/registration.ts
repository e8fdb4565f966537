/** The part of a user service with which users create accounts. */
import type { Claims } from '#lib/protocol/claims.ts'
import type { SubjectId } from '#lib/protocol/ids.ts'
import type { CheckCaller } from './check-caller.ts'
import type { Mailbox } from './users.ts'

export type UserRegistration = {
  /** Whether an account has this user name, in any spelling. */
  readonly isTaken: (username: string) => Promise<boolean>
  /**
   * Returns the accounts that have this verified address, or have it as their user name. Accounts with an unverified address
   * are left out, because anyone can have entered it (AU-18). No caller of a page waits for the result.
   */
  readonly findByAddress: (address: string) => Promise<readonly RegisteredAccount[]>
  /**
   * Converts a password to the form in which it is kept until the account exists. `caller`: for a queue of expensive work, in
   * which strangers who register must not delay users who sign in.
   */
  readonly hashPassword: (password: string, caller: CheckCaller) => Promise<string>
  readonly verifyPassword: (password: string, hash: string, caller: CheckCaller) => Promise<boolean>
  /**
   * Creates the account. Calls `consume` directly before the write, and creates nothing if it returns false: it uses up the
   * link of the mail and the invitation.
   */
  readonly register: (
    account: NewAccount,
    change: { readonly now: Date; readonly consume: () => Promise<boolean> },
  ) => Promise<RegistrationResult>
}

export type RegisteredAccount = {
  readonly username: string
  /**
   * The verified address, and the language of the user; `null`: there is none. It is a different address than the searched one
   * if only the user name is that.
   */
  readonly mailbox: Mailbox | null
}

export type NewAccount = {
  /** The ID of the account. A service that makes its own IDs returns its ID instead. */
  readonly subject: SubjectId
  readonly username: string
  /** The result of `hashPassword`. */
  readonly passwordHash: string
  /** The claims, with `email` and `email_verified`. */
  readonly claims: Claims
}

export type RegistrationResult =
  | { readonly kind: 'registered'; readonly subject: SubjectId }
  /** Another account has the user name. */
  | { readonly kind: 'taken' }
  /** Another account got the verified address in the meantime. */
  | { readonly kind: 'exists' }
  /** `consume` returned false. */
  | { readonly kind: 'expired' }
