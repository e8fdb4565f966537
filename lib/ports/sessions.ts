/** Browser sessions, and the requests, sign-ins and sign-outs that are in progress. */
import type { Claims } from '#lib/protocol/claims.ts'
import type { ClientId, Digest, ProviderScheme, ScopeName, SessionId, SubjectId } from '#lib/protocol/ids.ts'
import type { AuthenticationFacts, Consent } from './grants.ts'
import type { Credential, ProvenSignIn, RedeemedIdentity } from './sign-in-steps.ts'
import type { Account, AccountCondition, ExternalKey } from './users.ts'

export type SessionPorts = {
  readonly sessions: Sessions
  readonly pendingRequests: PendingRequests
  readonly externalSignIns: ExternalSignIns
  readonly partialSignIns: PartialSignIns
}

export type Session = AuthenticationFacts & {
  readonly digest: Digest
  readonly sessionId: SessionId
  readonly name: string
  /** Whether the session continues when the browser is closed. */
  readonly isPersistent: boolean
  readonly createdAt: Date
  readonly lastSeenAt: Date
  /** The absolute expiry, which no use extends. */
  readonly expiresAt: Date
  readonly userAgent: string | null
  readonly address: string | null
  readonly details: SessionDetails
}

/** Details that only some sessions have, stored as one JSON value. */
export type SessionDetails = {
  /** The claims that `postAuthenticate` of the extensions added, for the tokens of the session. */
  readonly claims?: Claims
  /** The ID token of the identity provider, sealed: the hint for signing out there. */
  readonly sealedIdToken?: string
  /**
   * The factors of the sign-in with their times, in ISO 8601; sessions of earlier versions have none, or factors without a
   * kind.
   */
  readonly factors?: ReadonlyArray<{
    readonly methods: readonly string[]
    readonly at: string
    readonly kind?: Credential['kind']
    /** See the credential of a provider. */
    readonly hasTwoFactors?: true
    /** The ID of the passkey; absent for every other factor, and in sessions of earlier versions. */
    readonly passkey?: string
  }>
}

/** A client that got a grant in a session. */
export type SessionClient = {
  readonly sessionId: SessionId
  readonly clientId: ClientId
  /** The time of the latest grant, accurate to the minute. */
  readonly lastAt: Date
}

/** A session, and the rows that were read with it in one statement. */
export type FoundSession = {
  readonly session: Session
  /** The account; `null`: the user is not in this server's store. */
  readonly account: Account | null
  /** The consent for the named client, as `Consents.find` returns it; absent if no client was named. */
  readonly consent?: Consent | null
}

/**
 * Reasons why sessions end. A second sign-in of the same user does not end the session: it gets another cookie and
 * keeps its `sid`.
 */
export type EndCause =
  | 'signed_out'
  /** The user ended the session from a different session, or removed the passkey that is a factor of it. */
  | 'ended_by_user'
  /** Another user signed in to a browser that had sessions of too many accounts. */
  | 'too_many_accounts'
  /** The user service reports that the user is not active. */
  | 'user_inactive'
  | 'ended_by_admin'
  | 'password_changed'
  /** The user reported a change of the account that the user did not make. */
  | 'change_taken_back'
  | 'account_disabled'
  | 'user_deleted'
  /** The identity provider was disabled or deleted. */
  | 'provider_disabled'
  /** The session began with an identity that was unlinked from the account. */
  | 'provider_unlinked'
  /** The absolute expiry passed, and the purge deleted the session. */
  | 'expired'

/**
 * The result. `already_ended`: another caller has ended the session to be replaced. Except for `created`, nothing was
 * written.
 */
export type SessionReplacement = 'created' | 'refused' | 'already_ended'

/** The credentials of a sign-in that the user must still have when the session is stored. */
export type CurrentCredentials = {
  /** The IDs of passkeys. */
  readonly passkeys?: readonly string[]
  /** The identity that led to the account. */
  readonly link?: ExternalKey | undefined
  /** The sealed secret of the authenticator app that made a code. */
  readonly app?: string | undefined
  /** The digest of a recovery code. An authenticator app must exist as well. */
  readonly recoveryCode?: Digest | undefined
  /** The digest of the browser whose trust replaced a second factor. */
  readonly trustedBrowser?: Digest | undefined
}

/** The conditions of a new session. */
export type SessionConditions = CurrentCredentials & { readonly account?: AccountCondition | undefined }

export type Sessions = {
  /**
   * Stores the session if the account passes its check, the user still has the credentials, and the identity provider is
   * enabled, in one transaction with these checks. A concurrent transaction that locks the user, disables the provider, replaces the
   * password, or removes the passkey or the identity also ends this session. One that removes the authenticator app, the recovery
   * code or the trust in the browser comes before or after this session. Returns false if nothing was stored.
   */
  readonly create: (session: Session, conditions?: SessionConditions) => Promise<boolean>
  /**
   * Stores the session like `create`, and ends the session with this digest in the same transaction. Grants are not
   * revoked.
   */
  readonly replace: (
    replaced: Digest,
    session: Session,
    conditions?: SessionConditions,
  ) => Promise<SessionReplacement>
  /**
   * Returns the session; `null` when it is unknown, ended, expired, or idle too long. `UsageMarks.session` extends the
   * idle time.
   */
  readonly find: (digest: Digest, now: Date, clientId?: ClientId) => Promise<FoundSession | null>
  /**
   * Ends the session and revokes its grants, except offline access, in one transaction; from then on nothing can be
   * granted in it. Returns true for exactly one caller; the others also revoke. The default cause is `signed_out`.
   */
  readonly end: (
    session: Pick<Session, 'digest' | 'sessionId'>,
    now: Date,
    cause?: 'signed_out' | 'ended_by_user' | 'too_many_accounts' | 'user_inactive',
  ) => Promise<boolean>
  readonly allOf: (subject: SubjectId, now: Date) => Promise<readonly Session[]>
  /** Sets the display name of the user in all sessions of the user. */
  readonly rename: (subject: SubjectId, name: string) => Promise<void>
  /**
   * Returns the clients of these sessions, the latest first. A grant that is opened in a session adds its client;
   * `Grants.revoke` removes it if a subject is selected.
   */
  readonly clientsOf: (sessionIds: readonly SessionId[]) => Promise<readonly SessionClient[]>
}

/** The user's answer on the consent page, valid only in the session in which it was given (CN-01). */
export type ConsentAnswer = {
  readonly sessionId: SessionId
  readonly decision: 'allow' | 'deny'
  readonly scopes: readonly ScopeName[]
  readonly remember: boolean
}

/**
 * An authorization request that waits for the user. Its parameters are stored here and not in the browser (RFC 6819
 * 4.4.1); `browser` binds it to the browser that started it.
 */
export type PendingRequest = {
  readonly digest: Digest
  readonly browser: Digest
  /** The request, sealed: an attacker who reads the database must not be able to read, change or complete it. */
  readonly sealedParameters: string
  readonly createdAt: Date
  readonly expiresAt: Date
  /** The time when the response to the client was made; it is set only once. */
  readonly finishedAt: Date | null
  /** The account that the user chose on the account selection page; `null`: none. */
  readonly chosenSubject: SubjectId | null
  readonly consent: ConsentAnswer | null
  /**
   * The digest of the IPv4 address or IPv6 /48 of the sender; `null`: unknown. Used only to choose which requests are
   * deleted when there are too many.
   */
  readonly network: Digest | null
}

export type PendingRequests = {
  /** Stores a request. Only the newest unfinished requests of one browser are kept: see `liveAtOnce`. */
  readonly create: (request: PendingRequest) => Promise<void>
  /**
   * Returns a request, even a finished or expired one, while it is stored; `null` unless it belongs to this browser.
   */
  readonly find: (digest: Digest, browser: Digest) => Promise<PendingRequest | null>
  readonly recordChoice: (digest: Digest, subject: SubjectId) => Promise<void>
  /** Stores the consent. Has no effect on a finished request. */
  readonly recordConsent: (digest: Digest, answer: ConsentAnswer) => Promise<void>
  /**
   * Finishes a request that has not expired. Returns true for exactly one caller, which may respond to the client. A
   * successful request is finished together with its grant instead.
   */
  readonly finish: (digest: Digest, now: Date) => Promise<boolean>
}

/**
 * A sign-in, a test sign-in or a sign-out in progress at an identity provider. `browser`: the digest to which it is
 * bound, for a test that of the admin session.
 */
export type ExternalSignIn = {
  readonly state: Digest
  readonly browser: Digest
  readonly scheme: ProviderScheme
  /**
   * The handle of the pending request, sealed; `null`: none. For a sign-out: the address where the user continues,
   * sealed.
   */
  readonly sealedPending: string | null
  readonly nonce: string
  /** The code verifier, sealed: an attacker who reads the database must not be able to complete the sign-in. */
  readonly sealedCodeVerifier: string
  readonly expiresAt: Date
}

export type ExternalSignIns = {
  readonly create: (signIn: ExternalSignIn) => Promise<void>
  /**
   * Marks the sign-in as used and returns it: only one caller gets it. `null` when it is unknown, used, expired, or
   * from another browser.
   */
  readonly take: (state: Digest, browser: Digest, now: Date) => Promise<ExternalSignIn | null>
  /**
   * Returns a sign-in, even a used or expired one, while it is stored, to find out where the user continues. A used one
   * has no verifier.
   */
  readonly findUsed: (state: Digest, browser: Digest) => Promise<ExternalSignIn | null>
}

/** A sign-in that a step interrupted: the user is at the page of the step. */
export type PartialSignIn = {
  readonly digest: Digest
  readonly browser: Digest
  /** The user; `null`: `preAuthenticate` redirected a user who is not known yet. */
  readonly subject: SubjectId | null
  readonly idp: string
  readonly sealedPending: string | null
  /** The `PartialDetails`, sealed. */
  readonly sealedDetails: string
  readonly remember: boolean
  readonly expiresAt: Date
}

/** An identity whose verified address an account has. The user may prove the account, which then gets the identity. */
export type OfferedLink = {
  readonly redeemed: RedeemedIdentity
  readonly account: { readonly subject: SubjectId; readonly username: string }
}

export type PartialDetails = {
  /** The name of the step that interrupted the sign-in. */
  readonly step: string
  readonly path: string
  /**
   * The proven facts; `null`: `preAuthenticate` interrupted before anything was proven, or the user has only proven the
   * identity of an offer.
   */
  readonly proven: ProvenSignIn | null
  readonly offer?: OfferedLink
}

export type PartialSignIns = {
  readonly create: (signIn: PartialSignIn) => Promise<void>
  readonly find: (digest: Digest, browser: Digest, now: Date) => Promise<PartialSignIn | null>
  /** Removes the interrupted sign-in. Returns true for exactly one caller. */
  readonly take: (digest: Digest) => Promise<boolean>
}
