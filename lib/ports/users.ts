/** The user service: an operator can replace it to store users elsewhere. */
import type { Claims } from '#lib/protocol/claims.ts'
import type { Digest, ProviderScheme, SubjectId } from '#lib/protocol/ids.ts'
import type { Client } from '#lib/protocol/registration/client.ts'
import type { HashKind } from '#lib/protocol/registration/imported-hashes.ts'
import type { CheckCaller } from './check-caller.ts'

/** How a request asks for the user to be signed in. */
export type SignInHints = {
  readonly client: Client | null
  readonly tenant: string | null
  readonly acrValues: readonly string[]
  /**
   * What the user entered in the additional fields of the sign-in form, without surrounding spaces; not the empty ones. Left out where the
   * form has none, and for a sign-in without the form.
   */
  readonly fields?: Readonly<Record<string, string>>
  /** Where the attempt comes from. The standard user service needs it to check the password in its turn. */
  readonly caller?: CheckCaller
}

/**
 * The user of a provider. A `subject` is unique only with its issuer, and the issuer counts in addition to the scheme: when
 * a scheme is changed to a different provider, its users must not get the previous accounts (FD-01).
 */
export type ExternalKey = {
  readonly scheme: ProviderScheme
  readonly issuer: string
  readonly subject: string
}

/** A user as described by an identity provider. */
export type ExternalIdentity = ExternalKey & {
  /** What the provider was asked for. */
  readonly scopes: readonly string[]
  /** When the user signed in there, if the provider reported it. */
  readonly authenticatedAt: Date | null
  readonly claims: Claims
}

export type Authentication =
  | {
      readonly kind: 'full'
      readonly subject: SubjectId
      readonly name: string
      /** RFC 8176 method references: `pwd` for a password, `external` for a provider. */
      readonly amr: readonly string[]
      /** The class reached, if the service vouches for one; becomes the `acr` claim. */
      readonly acr: string | null
      /**
       * If the local store has the password: the digest of the hash that was verified. When the stored hash changes, the
       * sign-in is no longer valid.
       */
      readonly provenHash?: Digest
      /** If the local store has the account: as it was read after the password was verified. */
      readonly account?: StoredUser
    }
  /** Not complete: the user must first visit `path` on this origin, then return to `/login/return`. */
  | {
      readonly kind: 'partial'
      readonly subject: SubjectId
      readonly path: string
      /** As with `full`. */
      readonly provenHash?: Digest
    }
  /** `message` is shown to the user; `null` shows the text that all wrong credentials share. */
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
  /** The names asked for; the service may leave some out. */
  readonly claims: readonly string[]
  /** Every claim of the user is asked for, not only these. */
  readonly allClaims: boolean
  readonly client: Client
  /** `login_hint`: compares the hint of a client with the claims of the signed-in user; the claims are not sent to any client. */
  readonly caller: 'access_token' | 'id_token' | 'userinfo' | 'login_hint'
  readonly account?: ReadAccount
}

/** What requests need to know of an account after the sign-in. */
export type Account = Pick<StoredUser, 'subject' | 'username' | 'enabled' | 'claims'>

/**
 * The account in the store of this server, if the caller has read it just now: the standard user service does not read it
 * again. `null`: the store does not have the user.
 */
export type ReadAccount = Account | null | undefined

/** As it was read already; otherwise it is read. */
export async function accountOf(
  { users }: { readonly users: Users },
  subject: SubjectId,
  account: ReadAccount,
): Promise<Account | null> {
  return account === undefined ? users.findBySubject(subject) : account
}

export type UserService = {
  /** Must take the same time whether or not the user exists, and give the reason of a refusal only to admins. */
  readonly authenticate: (
    credentials: { username: string; password: string },
    hints: SignInHints,
  ) => Promise<Authentication>
  /** Finds, or makes, the account that belongs to an external identity. Never matches by email address. */
  readonly authenticateExternal: (identity: ExternalIdentity, hints: SignInHints) => Promise<Authentication>
  /** Completes a partial sign-in after the user returned. */
  readonly completePartial: (subject: SubjectId, hints: SignInHints) => Promise<Authentication>
  readonly profile: (request: ProfileRequest) => Promise<Claims>
  /** Asked before anything is issued or confirmed for the user. An unknown user is not active. */
  readonly isActive: (subject: SubjectId, account?: ReadAccount) => Promise<boolean>
  /** The form under which one account's failed attempts are counted: the same for every name that it can sign in with. */
  readonly canonicalUsername: (username: string) => Promise<string>
  /**
   * A value that changes with the password of the account, by its canonical name; it is not shown to anyone. Known browsers
   * with an old value are no longer known. Omitted, or `null`: they stay known. `read`: the account, if it was read just now.
   */
  readonly passwordStamp?: (account: string, read?: StoredUser) => Promise<string | null>
}

/** A user as stored here. */
export type StoredUser = {
  readonly subject: SubjectId
  readonly username: string
  /**
   * Argon2id as a PHC string, or until the first sign-in the hash of another server (`registration/imported-hashes.ts`);
   * `null`: cannot sign in with a password.
   */
  readonly passwordHash: string | null
  /** The password is temporary: signing in with it only allows choosing a new one. */
  readonly mustChangePassword: boolean
  readonly enabled: boolean
  readonly claims: Claims
}

export type UserPasswordHash = Pick<StoredUser, 'subject' | 'username' | 'passwordHash'>

/** The store of users behind the default user service. */
export type Users = {
  readonly findBySubject: (subject: SubjectId) => Promise<StoredUser | null>
  /** Compares canonical names: case and Unicode form do not matter. */
  readonly findByUsername: (username: string) => Promise<StoredUser | null>
  /** The only user with a password and this verified email claim; `null` if there is none, or several. */
  readonly findByVerifiedEmail: (email: string) => Promise<StoredUser | null>
  readonly findByExternal: (key: ExternalKey) => Promise<StoredUser | null>
  /** Both rows or neither; when another request linked the same identity first, returns that user. */
  readonly createExternal: (user: StoredUser, key: ExternalKey, now: Date) => Promise<StoredUser>
  /** The next users in the order of their subjects. `after: null`: the first ones. */
  readonly listPasswordHashes: (after: SubjectId | null, most: number) => Promise<readonly UserPasswordHash[]>
  /** Only if the stored hash is still `replaced`: a concurrent reset is kept. */
  readonly replacePasswordHash: (
    subject: SubjectId,
    hashes: { readonly replaced: string; readonly successor: string },
    now: Date,
  ) => Promise<void>
  /** Only if the stored claims are still `replaced`. Their `email` stays the same. */
  readonly replaceClaims: (
    subject: SubjectId,
    claims: { readonly replaced: Claims; readonly successor: Claims },
    now: Date,
  ) => Promise<void>
  /**
   * Stores the password that the user chose: true for exactly one caller, only if the stored hash is still `replaced` and the
   * account is enabled. In the same transaction it ends every session, interrupted sign-in and grant of the user.
   */
  readonly choosePassword: (
    subject: SubjectId,
    hashes: { readonly replaced: string; readonly successor: string },
    now: Date,
  ) => Promise<boolean>
}

/** Why a password may not be set. */
export type PasswordFlaw = 'not_unicode' | 'too_short' | 'too_long' | 'repeats' | 'personal' | 'common'

/** Password hashing: Argon2id, PHC strings, bounded queues. Imported hashes are only verified. */
export type Passwords = {
  readonly hash: (password: string) => Promise<string>
  /**
   * `stored: null`, or a text that is not a hash, costs as much as an own hash and is never right. Throws `temporarily_unavailable` when
   * too many checks wait. Without a caller it waits with unknown ones.
   */
  readonly verify: (password: string, stored: string | null, caller?: CheckCaller) => Promise<boolean>
  /**
   * What to verify for a name that has no password, so that the time does not reveal it: as many names have a hash of each kind as users
   * have, and one name always has the same one. `null`: an own hash.
   */
  readonly substituteHash: (name: string) => string | null
  /** The kinds of imported hashes that users have. */
  readonly expectImported: (kinds: readonly HashKind[]) => void
  /** Whether the hash was imported, or made with weaker parameters than today's. */
  readonly needsRehash: (stored: string) => boolean
  /** Asked when one is set, never at sign-in. `words` belong to the user or the site (AU-02). */
  readonly flawOf: (password: string, words: readonly string[]) => Promise<PasswordFlaw | null>
}

/** What must be true of the account when something is stored for it: it is still as it was read, or it passes the check. */
export type AccountCondition = StoredUser | AccountCheck

/** Whether the account is unchanged since the sign-in; `null`: our own store does not have the user. */
export type AccountCheck = (account: StoredUser | null) => boolean
