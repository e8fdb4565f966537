/** Invitations of users: links with which a new user creates one account. Administrators make them. */
import type { Claims } from '#lib/protocol/claims.ts'
import type { Digest, SubjectId } from '#lib/protocol/ids.ts'

export type UserInvitationPorts = { readonly userInvitations: UserInvitations }

/** An invitation. The link contains the handle, the store its digest. */
export type UserInvitation = {
  readonly digest: Digest
  /** Names the invitation in the dashboard; it does not give access. */
  readonly id: string
  /** The address of the invited user; `null`: the link is for one user whose address is not known. */
  readonly email: string | null
  /** Whether only the receiver of a mail to `email` knows the link: who uses it reads the mails of this address. */
  readonly isMailed: boolean
  /** The claims that the account gets, such as `name`, `role` and `groups`. `email` and `email_verified` are not in it. */
  readonly claims: Claims
  /** The language of the mail. */
  readonly locale: string
  /** The administrator who invited. */
  readonly createdBy: SubjectId | null
  readonly createdAt: Date
  readonly expiresAt: Date
}

export type UserInvitations = {
  /** Returns the invitation of a link; `null` if it is unknown, used, withdrawn, replaced by a new link, or expired. */
  readonly find: (digest: Digest, now: Date) => Promise<UserInvitation | null>
  /**
   * Consumes the invitation for the account of this subject. Returns true for exactly one caller, and only while `find`
   * returns the invitation.
   */
  readonly take: (digest: Digest, subject: SubjectId, now: Date) => Promise<boolean>
  /** Makes an invitation usable again that was taken for this subject, whose account could not be created. */
  readonly release: (digest: Digest, subject: SubjectId) => Promise<void>
}

/** A part of a change that makes, renews or withdraws invitations. */
export type UserInvitationWrite =
  | { readonly kind: 'put_user_invitations'; readonly invitations: readonly UserInvitation[] }
  /** Gives an unused invitation a new link, also after its end; the earlier link ends. `gone` if it was used or withdrawn. */
  | ({ readonly kind: 'renew_user_invitation' } & Pick<
      UserInvitation,
      'id' | 'digest' | 'isMailed' | 'expiresAt'
    >)
  /** Withdraws an unused invitation. `gone` if it was used or withdrawn. */
  | { readonly kind: 'remove_user_invitation'; readonly id: string }
