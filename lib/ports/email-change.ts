/** The change of an address by its user, and the restoring of an account after a change that its user did not make. */
import type { SubjectId } from '#lib/protocol/ids.ts'
import type { ChangeSource } from './change-source.ts'
import type { RestoredAccount } from './taken-back-changes.ts'

export type EmailChange = {
  /** Returns the address of an account; `null`: there is no such account, or it is locked. */
  readonly read: (subject: SubjectId) => Promise<ChangeableEmail | null>
  /**
   * Makes the address the verified one of the account, only if the account still has this `state`. Calls `consume` directly before
   * the write, and changes nothing if it returns false: it uses up the link, and stores the mails about the change. `within` is
   * the session of the user, for the store of this server. Returns whether the address was changed. Other accounts may have the same address.
   */
  readonly change: (
    account: Pick<ChangeableEmail, 'subject' | 'state'>,
    address: string,
    change: {
      readonly now: Date
      readonly within: ChangeSource
      readonly consume: () => Promise<boolean>
    },
  ) => Promise<boolean>
}

export type ChangeableEmail = {
  readonly subject: SubjectId
  /** The address of the account; `null`: there is none. */
  readonly address: string | null
  readonly isVerified: boolean
  /** The language in which the user is addressed. */
  readonly locale: string
  /** A text that changes with the password, with locking, and with the address. It is stored as a digest. */
  readonly state: string
}

/**
 * Makes the password unusable, and `address`, which was verified before the change, the verified address. Calls `commit`
 * directly before the writes, and changes nothing if it returns false: it uses up the link. `commit` takes back what this server
 * stores, and restores an account in the store of this server in the same transaction; a service with its own store
 * passes `null`. Returns what `commit` returned.
 */
export type AccountRestoring = (
  account: { readonly subject: SubjectId; readonly address: string },
  commit: (stored: RestoredAccount | null) => Promise<boolean>,
) => Promise<boolean>
