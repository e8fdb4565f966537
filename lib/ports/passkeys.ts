/** The passkeys of subjects (Web Authentication Level 3), and the offers to create one. */
import type { SessionId, SubjectId } from '#lib/protocol/ids.ts'
import type { RemainingWays } from './account-links.ts'
import type { ChangeSource } from './change-source.ts'
import type { NewDelivery } from './outbox.ts'

export type PasskeyPorts = {
  readonly passkeys: Passkeys
  readonly subjectPreferences: SubjectPreferences
  readonly usedIds: UsedIds
}

/** The server as the owner of passkeys (Web Authentication Level 3). */
export type RelyingParty = {
  readonly kind: 'on'
  /** The RP ID: the domain to which passkeys belong. */
  readonly id: string
  /** The origins of the pages at which they are accepted. */
  readonly origins: readonly string[]
  /** Whether other sites may have passkeys with this RP ID: related origins, or hosts below the domain. */
  readonly isShared?: boolean
}

/** Browsers have no passkeys for an IP address, nor without https. */
export type PasskeysOff = { readonly kind: 'off'; readonly why: 'ip_address' | 'not_https' }

export type Passkey = {
  /** The credential ID, as base64url. */
  readonly id: string
  readonly subject: SubjectId
  /**
   * The identity provider of the session that added it, or `localProvider`. A passkey of an external provider's user is
   * only a second factor: a sign-in must not bypass the provider.
   */
  readonly idp: string
  /** The public key in COSE, as base64url. */
  readonly publicKey: string
  readonly signatureCounter: number
  readonly transports: readonly string[]
  /** Whether the passkey is synchronized between devices, and whether it can be. */
  readonly isBackedUp: boolean
  readonly canBeBackedUp: boolean
  /** Whether the authenticator finds it without a list of credential IDs; `null`: the browser did not report it. */
  readonly isDiscoverable: boolean | null
  /** The model of the authenticator, as a UUID; zeros if it is not known. */
  readonly aaguid: string
  readonly name: string
  readonly createdAt: Date
  readonly lastUsedAt: Date | null
}

/** The result of an assertion, to be stored. */
export type PasskeyUse = {
  readonly id: string
  /** The counter as it was read. */
  readonly before: number
  readonly signatureCounter: number
  readonly isBackedUp: boolean
}

export type PasskeyRemoval = {
  readonly notices: readonly NewDelivery[]
  /** The session in which the user removes the passkey; `null`: none. */
  readonly keeps: SessionId | null
  readonly now: Date
  readonly within?: ChangeSource | undefined
  /**
   * Decides with the other ways to sign in, in the transaction of the removal; `null`: the account is in the store of a custom user
   * service.
   */
  readonly mayRemove: (remaining: RemainingWays | null) => boolean
}

export type Passkeys = {
  /** Returns the passkeys of a subject, the oldest first. */
  readonly allOf: (subject: SubjectId) => Promise<readonly Passkey[]>
  readonly find: (id: string) => Promise<Passkey | null>
  /** Returns the number of all passkeys, to warn before a change that makes them useless. */
  readonly count: () => Promise<number>
  /** Deletes all passkeys of all users, and returns their number. */
  readonly removeAll: () => Promise<number>
  /**
   * Stores a passkey and the messages about it, in one transaction. `duplicate`: the ID exists, for any subject.
   * `too_many`: the subject already has `most` passkeys. `ended`: `within` no longer exists.
   */
  readonly add: (
    passkey: Passkey,
    adding: {
      readonly most: number
      readonly notices: readonly NewDelivery[]
      readonly within?: ChangeSource | undefined
    },
  ) => Promise<'added' | 'duplicate' | 'too_many' | 'ended'>
  /** Stores a use. Returns true for exactly one caller, only if the counter is still the one that was read. */
  readonly recordUse: (use: PasskeyUse, now: Date) => Promise<boolean>
  /** Returns false if the subject has no such passkey. */
  readonly rename: (subject: SubjectId, id: string, name: string) => Promise<boolean>
  /**
   * Deletes a passkey and stores the messages about it. In the same transaction, every session of which it is a factor ends,
   * except `keeps`, and interrupted sign-ins of the subject end. `unknown`: there is no such passkey, or `within` no longer exists.
   * `last`: `mayRemove` refused; of concurrent callers that would remove the last ways to sign in, also links, one gets it.
   */
  readonly remove: (
    passkey: Pick<Passkey, 'subject' | 'id'>,
    removal: PasskeyRemoval,
  ) => Promise<'removed' | 'unknown' | 'last'>
}

/** The answers of a subject to offers. */
export type SubjectPreference = {
  /** The time of the last offer of a passkey; `null`: never. */
  readonly passkeyOfferedAt: Date | null
  /** Whether the user refused further offers of a passkey. */
  readonly refusesPasskeys: boolean
}

export type SubjectPreferences = {
  readonly find: (subject: SubjectId) => Promise<SubjectPreference>
  readonly put: (subject: SubjectId, preference: SubjectPreference) => Promise<void>
  /** Returns the time of the last offer to add an email address; `null`: never. */
  readonly emailOfferedAt: (subject: SubjectId) => Promise<Date | null>
  readonly putEmailOffer: (subject: SubjectId, at: Date) => Promise<void>
  /** Returns the terms of use that the subject accepted last; `null`: none. */
  readonly findAcceptedTerms: (subject: SubjectId) => Promise<AcceptedTerms | null>
  readonly acceptTerms: (subject: SubjectId, terms: AcceptedTerms) => Promise<void>
}

export type AcceptedTerms = {
  /** The version of the terms, as the policies of the site name it. */
  readonly version: string
  readonly acceptedAt: Date
}

/** IDs of sealed values that work once. Only used ones are stored, so that issuing a value costs no write. */
export type UsedIds = {
  /** Marks the ID as used until `expiresAt`. Returns true for exactly one caller. */
  readonly claim: (id: string, expiresAt: Date) => Promise<boolean>
}
