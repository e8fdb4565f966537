/** The profile of an account and its deletion, for the user of the account. */
import type { Claims } from '#lib/protocol/claims.ts'
import type { SubjectId } from '#lib/protocol/ids.ts'

export type ProfileStore = {
  /** Returns the claims of the user as they are now; `null`: the user cannot change them. */
  readonly read: (subject: SubjectId) => Promise<Claims | null>
  /**
   * Stores the claims `after`, only if they are still those of `before`. Returns the new display name; `null`: nothing was
   * stored. Only names of the policy `profile_fields`, and `phone_number_verified`, differ.
   */
  readonly update: (
    subject: SubjectId,
    change: { readonly before: Claims; readonly after: Claims; readonly now: Date },
  ) => Promise<{ readonly name: string } | null>
}

export type AccountDeletion = {
  /** Returns the name that the user types to confirm the deletion; `null`: the account cannot be deleted. */
  readonly nameOf: (subject: SubjectId) => Promise<string | null>
  /**
   * Deletes the account in the store of the service, before this server deletes what it stores about the subject. By then the
   * deletion can no longer be canceled. It can be called again for a deleted account. Absent: this server has the account.
   */
  readonly remove?: (subject: SubjectId) => Promise<void>
}

/** The users whose deletion is planned. */
export type LeavingUsers = {
  /** Whether the deletion of the user may be planned; false is certain, except for some seconds after it was planned. */
  readonly mayHave: (subject: SubjectId) => Promise<boolean>
  /** Reads the users again at the next call. */
  readonly forget: () => void
}

/** The users that the configuration file sets: it overwrites changes of them at the next start. */
export type ManagedUsers = { readonly has: (subject: SubjectId) => Promise<boolean> }
