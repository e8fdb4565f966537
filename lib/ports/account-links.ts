/** Identities at identity providers that are linked to accounts, so that their users sign in with them. */
import type { SubjectId } from '#lib/protocol/ids.ts'
import type { ChangeSource } from './change-source.ts'
import type { NewDelivery } from './outbox.ts'
import type { IdentityProvider } from './upstream.ts'
import type { ExternalIdentity, ExternalKey } from './users.ts'

/** An identity with the name that its provider gave it, such as an email address; `null`: it is not known. */
export type NamedIdentity = ExternalKey & { readonly label: string | null }

export type LinkedIdentity = NamedIdentity & { readonly createdAt: Date }

/** The ways to sign in that an account has without the one that is to be removed. */
export type RemainingWays = {
  readonly hasPassword: boolean
  readonly links: readonly ExternalKey[]
  /** The passkeys, each with the identity provider of the session that added it. */
  readonly passkeys: ReadonlyArray<{ readonly idp: string }>
}

/**
 * The result of linking. `known`: the account already has the identity. `taken`: another account has it, and keeps it.
 * `too_many`: the account has the highest number of links. `refused`: the account is locked or no longer exists. `not_proven`: it no
 * longer has the address, or the session in which the identity was to be linked has ended. `had_identity`: it has, or had, another
 * identity of the provider, so that an address is not enough. `not_allowed`: the provider no longer allows the link.
 */
export type LinkResult =
  | 'added'
  | 'known'
  | 'taken'
  | 'too_many'
  | 'refused'
  | 'not_proven'
  | 'had_identity'
  | 'not_allowed'

export type LinkAddition = {
  readonly now: Date
  readonly most: number
  readonly notices: readonly NewDelivery[]
  readonly within?: ChangeSource | undefined
  /**
   * The verified address that the account must still have, in canonical form; absent if the user has proven the account. With it,
   * the result is `had_identity` if the account has, or had, another identity of the scheme.
   */
  readonly address?: string | undefined
  /**
   * Decides with the provider as it is stored in the transaction of the link; `null`: it was deleted. Called before as well, so that
   * a service with a separate database may leave it out.
   */
  readonly mayLink: (provider: IdentityProvider | null) => boolean
}

/** The only account that has the verified email address of an identity. */
export type MatchingAccount = {
  readonly subject: SubjectId
  readonly username: string
  readonly hasPassword: boolean
  /** The schemes of the providers whose identities the account has. */
  readonly schemes: readonly string[]
  /** The identities that were unlinked from the account: no identity of their providers is linked only by its address. Absent: none. */
  readonly unlinked?: readonly ExternalKey[]
}

export type AccountLinks = {
  /** Returns the links of an account, the oldest first. */
  readonly list: (subject: SubjectId) => Promise<readonly LinkedIdentity[]>
  /**
   * Stores the link and the messages about it, in one transaction. An identity belongs to one account at most: of several
   * concurrent callers, one gets `added`.
   */
  readonly add: (subject: SubjectId, identity: NamedIdentity, change: LinkAddition) => Promise<LinkResult>
  /**
   * Deletes the link and stores the messages about it. The same transaction ends the sessions and grants of the account
   * that began with the provider, and its interrupted sign-ins. `unknown`: there is no such link, or `within` no longer exists.
   * `last`: `mayRemove` refused, which is called in the transaction, so that two concurrent calls cannot remove the last two
   * ways to sign in.
   */
  readonly remove: (
    subject: SubjectId,
    key: ExternalKey,
    change: {
      readonly now: Date
      readonly within?: ChangeSource | undefined
      readonly mayRemove: (remaining: RemainingWays) => boolean
      readonly notices: readonly NewDelivery[]
    },
  ) => Promise<'removed' | 'unknown' | 'last'>
  /**
   * Returns the only account with the verified email address of an identity that no account has; `null` if there is none, if
   * there are several, if it is locked, or if either address is not verified. Without this function, users link identities
   * only in their account.
   */
  readonly match?: (identity: ExternalIdentity) => Promise<MatchingAccount | null>
}

/** The links in the store of this server. */
export type StoredLinks = AccountLinks & {
  /** Returns the identities that were unlinked from an account, also by a link in a mail, and not linked to it again. */
  readonly listUnlinked: (subject: SubjectId) => Promise<readonly ExternalKey[]>
}
