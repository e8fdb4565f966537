/** The user service, which an operator can replace to store users elsewhere, and the store of the default one. */
import type { Claims } from '#lib/protocol/claims.ts'
import type { Digest, ProviderScheme, SubjectId } from '#lib/protocol/ids.ts'
import type { Client } from '#lib/protocol/registration/client.ts'
import type { AccountLinks, NamedIdentity, StoredLinks } from './account-links.ts'
import type { ChangeSource } from './change-source.ts'
import type { CheckCaller } from './check-caller.ts'
import type { AccountRestoring, EmailChange } from './email-change.ts'
import type { NewDelivery } from './outbox.ts'
import type { AccountDeletion, ProfileStore } from './own-account.ts'
import type { PasswordRecovery } from './password-recovery.ts'
import type { UserRegistration } from './registration.ts'

/** Hints of a request for the sign-in. */
export type SignInHints = {
  readonly client: Client | null
  readonly tenant: string | null
  readonly acrValues: readonly string[]
  /**
   * The values that the user entered in the additional fields of the sign-in form, without surrounding spaces and
   * without empty ones. Absent if the form has no such fields, and for a sign-in without the form.
   */
  readonly fields?: Readonly<Record<string, string>>
  /** The sender of the attempt, for the order in which the standard user service checks passwords. */
  readonly caller?: CheckCaller
}

/**
 * The key of a provider's user. A `subject` is unique only with its issuer, and the issuer counts in addition to the
 * scheme: when a scheme is changed to a different provider, its users must not get the previous accounts (FD-01).
 */
export type ExternalKey = {
  readonly scheme: ProviderScheme
  readonly issuer: string
  readonly subject: string
}

/** A user as described by an identity provider. */
export type ExternalIdentity = ExternalKey & {
  /** The scopes that Latchkey requested from the provider. */
  readonly scopes: readonly string[]
  /** The time of the sign-in, if the provider reported it. */
  readonly authenticatedAt: Date | null
  readonly claims: Claims
}

export type Authentication =
  | {
      readonly kind: 'full'
      readonly subject: SubjectId
      readonly name: string
      /** The authentication methods (RFC 8176): `pwd` for a password, `external` for a provider. */
      readonly amr: readonly string[]
      /** The authentication class, if the service confirms one; becomes the `acr` claim. */
      readonly acr: string | null
      /**
       * The digest of the verified hash, if the password is in the local store. When the stored hash changes, the
       * sign-in is no longer valid.
       */
      readonly provenHash?: Digest
      /** The account as read after the password or the passkey was verified, if the local store has it. */
      readonly account?: StoredUser
      /** The link that led to the account, if the local store has it. When it is removed, the sign-in is no longer valid. */
      readonly link?: ExternalKey
    }
  /** The user must first visit `path` on this origin, then return to `/login/return`. */
  | {
      readonly kind: 'partial'
      readonly subject: SubjectId
      readonly path: string
      /** The digest of the verified hash, as in `full`. */
      readonly provenHash?: Digest
    }
  /** The sign-in is refused. `message` is shown to the user; `null` shows a general text. */
  | {
      readonly kind: 'refused'
      readonly message: string | null
      /** The reason and the account, only for admins: the user does not see them. */
      readonly cause?: RefusalCause
    }

export type RefusalCause = {
  readonly reason: 'unknown_user' | 'wrong_password' | 'account_disabled' | 'no_password'
  readonly subject?: SubjectId
}

export type ProfileRequest = {
  readonly subject: SubjectId
  /** The requested names; the service may leave some out. */
  readonly claims: readonly string[]
  /** Whether every claim of the user is requested, not only these. */
  readonly allClaims: boolean
  readonly client: Client
  /**
   * The use of the claims. `login_hint`: the hint of a client is compared with the claims of the signed-in user; the
   * claims are not sent to any client. `second_factor_policy`: the claims decide whether a second factor is required.
   */
  readonly caller: 'access_token' | 'id_token' | 'userinfo' | 'login_hint' | 'second_factor_policy'
  readonly account?: ReadAccount
}

/** The fields of an account that requests need after the sign-in. */
export type Account = Pick<StoredUser, 'subject' | 'username' | 'enabled' | 'claims'>

/**
 * The account in this server's store, if the caller has just read it: the standard user service does not read it again.
 * `null`: the store does not have the user.
 */
export type ReadAccount = Account | null | undefined

/** Returns the account that was already read; otherwise reads it. */
export async function accountOf(
  { users }: { readonly users: Users },
  subject: SubjectId,
  account: ReadAccount,
): Promise<Account | null> {
  return account === undefined ? users.findBySubject(subject) : account
}

export type UserService = {
  /**
   * Checks the credentials. Must take the same time whether or not the user exists, and give the reason of a refusal
   * only to admins.
   */
  readonly authenticate: (
    credentials: { username: string; password: string },
    hints: SignInHints,
  ) => Promise<Authentication>
  /** Finds or creates the account of an external identity. Must not match by email address. */
  readonly authenticateExternal: (identity: ExternalIdentity, hints: SignInHints) => Promise<Authentication>
  /** Completes an interrupted sign-in after the user returned. */
  readonly completePartial: (subject: SubjectId, hints: SignInHints) => Promise<Authentication>
  readonly profile: (request: ProfileRequest) => Promise<Claims>
  /**
   * Whether the user may use the server. Called before anything is issued or confirmed for the user. An unknown user is
   * not active.
   */
  readonly isActive: (subject: SubjectId, account?: ReadAccount) => Promise<boolean>
  /**
   * Returns the name under which failed attempts of one account are counted: the same for every name with which the
   * account can sign in.
   */
  readonly canonicalUsername: (username: string) => Promise<string>
  /**
   * Returns a value that changes with the password of the account; it is not shown to any user. Browsers that were
   * known with an earlier value are no longer known. Without this function, or with `null`, they stay known. `account`:
   * its canonical name. `read`: the account, if the caller has just read it.
   */
  readonly passwordStamp?: (account: string, read?: StoredUser) => Promise<string | null>
  /**
   * Returns the address to which mails about the account are sent, which must be verified, and the language; `null`:
   * there is none. Without this function, the users of this service get no mails.
   */
  readonly mailbox?: (subject: SubjectId) => Promise<Mailbox | null>
  /**
   * Decides about a user whom this server has identified itself, with a passkey: `amr` and `acr` of the result are not used.
   * Without this function, `completePartial` is called.
   */
  readonly authenticateSubject?: (subject: SubjectId, hints: SignInHints) => Promise<Authentication>
  /** Lets users who forgot their password choose a new one by mail. Without it, no page offers that. */
  readonly recovery?: PasswordRecovery
  /**
   * Links identities at identity providers to existing accounts, which `authenticateExternal` then finds. Without it, no
   * page offers that.
   */
  readonly links?: AccountLinks
  /** Lets users create an account. Without it, there is no registration page. */
  readonly registration?: UserRegistration
  /**
   * Restores an account whose user reports a change that the user did not make. Without it, only what this server stores
   * is taken back: sessions, grants and ways to sign in.
   */
  readonly restoreAccount?: AccountRestoring
  /** Lets users change their email address. Without it, no page offers that. */
  readonly emailChange?: EmailChange
  /** Lets users delete their accounts under Your account. Without it, no page offers that. */
  readonly deletion?: AccountDeletion
  /** Lets users change claims of their profile under Your account. Without it, no page offers that. */
  readonly ownProfile?: ProfileStore
}

/** A verified address, and the language in which its user is addressed; `null`: it is not known. */
export type Mailbox = { readonly address: string; readonly locale: string | null }

/** A user in the store of this server. */
export type StoredUser = {
  readonly subject: SubjectId
  readonly username: string
  /**
   * The Argon2id hash as a PHC string, or until the first sign-in the hash of another server
   * (`registration/imported-hashes.ts`); `null`: the user cannot sign in with a password.
   */
  readonly passwordHash: string | null
  /** Whether the password is temporary: signing in with it only allows choosing a new one. */
  readonly mustChangePassword: boolean
  readonly enabled: boolean
  readonly claims: Claims
}

export type UserPasswordHash = Pick<StoredUser, 'subject' | 'username' | 'passwordHash'>

/** The store of users behind the default user service. */
export type Users = {
  readonly findBySubject: (subject: SubjectId) => Promise<StoredUser | null>
  /** Finds a user by the canonical name: case and Unicode form do not matter. */
  readonly findByUsername: (username: string) => Promise<StoredUser | null>
  /** Returns the only user with a password and this verified email claim; `null` if there is none, or several. */
  readonly findByVerifiedEmail: (email: string) => Promise<StoredUser | null>
  /** Returns the users with this verified email claim, at most `most`, in the order of their names. */
  readonly listByVerifiedEmail: (email: string, most: number) => Promise<readonly StoredUser[]>
  readonly findByExternal: (key: ExternalKey) => Promise<StoredUser | null>
  /** Stores user and key, or neither. If another request linked the same identity first, returns that user. */
  readonly createExternal: (
    user: StoredUser,
    key: ExternalKey & Partial<NamedIdentity>,
    now: Date,
  ) => Promise<StoredUser>
  /** The links of the users of this store. */
  readonly links: StoredLinks
  /** Stores a new user. Stores nothing if another user has the user name, or, with `needsOwnAddress`, the verified address. */
  readonly register: (
    user: StoredUser,
    now: Date,
    rule?: { readonly needsOwnAddress: boolean },
  ) => Promise<'registered' | 'name_taken' | 'address_taken'>
  /** Stores a password hash only if the user has none, and is enabled. */
  readonly addPassword: (subject: SubjectId, passwordHash: string, now: Date) => Promise<void>
  /** Returns the next users in the order of their subjects. `after: null`: the first ones. */
  readonly listPasswordHashes: (after: SubjectId | null, most: number) => Promise<readonly UserPasswordHash[]>
  /** Replaces the hash only if the stored one is still `replaced`: a concurrent reset is kept. */
  readonly replacePasswordHash: (
    subject: SubjectId,
    hashes: { readonly replaced: string; readonly successor: string },
    now: Date,
  ) => Promise<void>
  /**
   * Replaces the claims only if the stored ones are still `replaced`, and returns whether it did. The `email` claim must not
   * change.
   */
  readonly replaceClaims: (
    subject: SubjectId,
    claims: { readonly replaced: Claims; readonly successor: Claims },
    now: Date,
  ) => Promise<boolean>
  /**
   * Makes the address the verified one, only if the account still has the claims and the password hash that were read, is
   * enabled, and `within` still exists. A user name that was the replaced address becomes the new one, unless another user has it. Returns whether the address was changed.
   */
  readonly changeEmail: (
    subject: SubjectId,
    email: {
      readonly replaced: Pick<StoredUser, 'claims' | 'passwordHash'>
      readonly address: string
      readonly within?: ChangeSource | undefined
    },
    now: Date,
  ) => Promise<boolean>
  /**
   * Stores the password that the user chose. Returns true for exactly one caller, only if the stored hash is still
   * `replaced` and the account is enabled. The same transaction ends every session, interrupted sign-in and grant of
   * the user, and stores the messages about the change.
   */
  readonly choosePassword: (
    subject: SubjectId,
    hashes: { readonly replaced: string; readonly successor: string },
    change: { readonly now: Date; readonly notices: readonly NewDelivery[] },
  ) => Promise<boolean>
}

/** A condition of a write: the account is unchanged since it was read, or it passes the check. */
export type AccountCondition = StoredUser | AccountCheck

/** Checks that the account is unchanged since the sign-in. `null`: this server's store does not have the user. */
export type AccountCheck = (account: StoredUser | null) => boolean
