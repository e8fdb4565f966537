/**
 * Grants and everything that is issued for them. A grant is the stored authorization of a client by a user. Every code
 * and token that is issued for a user belongs to a grant, and revoking the grant revokes them.
 */
import type { Claims } from '#lib/protocol/claims.ts'
import type { GrantDetails } from '#lib/protocol/grant-details.ts'
import type { ClientId, Digest, GrantId, ScopeName, SessionId, SubjectId } from '#lib/protocol/ids.ts'
import type { Account, AccountCheck, ReadAccount } from './users.ts'

export type GrantPorts = {
  readonly grants: Grants
  readonly codes: AuthorizationCodes
  readonly refreshTokens: RefreshTokens
  readonly referenceTokens: ReferenceTokens
  readonly tokens: Tokens
  readonly importedTokens: ImportedTokens
  readonly revokedTokens: RevokedTokens
  readonly consents: Consents
}

/** How and when the user of a grant was authenticated. */
export type AuthenticationFacts = {
  readonly subject: SubjectId
  /** The identity provider: its scheme, or `localProvider`. */
  readonly idp: string
  readonly amr: readonly string[]
  readonly acr: string | null
  readonly authenticatedAt: Date
  /** The browser session; `null` for a grant that was made without one. */
  readonly sessionId: SessionId | null
}

export type Grant = AuthenticationFacts &
  GrantDetails & {
    readonly id: GrantId
    readonly clientId: ClientId
    /** Whether `offline_access` was granted: the grant then continues after a sign-out. */
    readonly isOffline: boolean
    readonly createdAt: Date
    /** The expiry of the grant; tokens with a longer lifetime extend it. */
    readonly expiresAt: Date
    readonly revokedAt: Date | null
  }

/** A stored grant with its user. `account: null`: the store of this server does not have the user. */
export type FoundGrant = Grant & { readonly account: Account | null }

/** The fields of a grant that decide whether its token is valid, the time of the sign-in, and its claims. */
export type GrantOfToken = Pick<
  FoundGrant,
  'id' | 'clientId' | 'subject' | 'authenticatedAt' | 'expiresAt' | 'revokedAt' | 'account' | 'claims'
>

/** A grant, and the account of its user if it was read. */
export type GrantOfUser = Grant & { readonly account?: ReadAccount }

/** Selects grants to revoke; several fields narrow the selection. */
export type GrantSelection =
  | { readonly id: GrantId }
  | { readonly subject: SubjectId; readonly clientId?: ClientId }

/** Preconditions for storing a grant, in addition to its session. */
export type GrantPreconditions = {
  /** The stored consent, as read, on which the grant is based; `null`: none. */
  readonly consent: Consent | null
  /** The pending request that the grant completes; `null`: none. */
  readonly pendingDigest: Digest | null
  /** The check that the account is unchanged since the sign-in, for a grant without a session. */
  readonly account?: AccountCheck
}

/**
 * `revoked`: the session has ended, or the account or the consent has changed. `finished`: the pending request was
 * completed or has expired. In both cases nothing was written.
 */
export type GrantOpening = 'opened' | 'revoked' | 'finished'

export type Grants = {
  /**
   * Stores a grant without a code. Its preconditions are checked in the same transaction: the session named by
   * `sessionId` is live at `createdAt`, or the account is unchanged (SE-06); the consent is unchanged (CN-07); the
   * pending request is unfinished, and is finished with the grant. Therefore a transaction that ends a session or a
   * consent and then revokes its grants misses none.
   */
  readonly open: (grant: Grant, preconditions?: GrantPreconditions) => Promise<GrantOpening>
  readonly find: (id: GrantId) => Promise<FoundGrant | null>
  /**
   * Revokes grants, with immediate effect on every node. Returns the number of revoked grants. If a subject is
   * selected, the client, or without one every client, is also removed from the sessions of the user.
   */
  readonly revoke: (selection: GrantSelection, now: Date) => Promise<number>
  /** Returns the live grants of a user, newest first. */
  readonly liveOf: (subject: SubjectId, now: Date) => Promise<readonly Grant[]>
}

export type AuthorizationCode = {
  readonly digest: Digest
  readonly grantId: GrantId
  readonly clientId: ClientId
  readonly redirectUri: string
  readonly nonce: string | null
  /** The challenge in the form of S256, regardless of its method: see `keptChallenge`. */
  readonly codeChallenge: string | null
  readonly expiresAt: Date
  readonly usedAt: Date | null
  readonly failedAttempts: number
}

export type FoundCode = AuthorizationCode & { readonly grant: FoundGrant }

export type AuthorizationCodes = {
  /**
   * Stores grant and code, or neither, with the preconditions of `Grants.open`. Only the newest codes of a user for one
   * client stay valid: see `liveAtOnce`.
   */
  readonly issue: (
    code: AuthorizationCode,
    grant: Grant,
    preconditions?: GrantPreconditions,
  ) => Promise<GrantOpening>
  /** Returns a code, even a used or expired one, while it is stored: a second use must be recognized. */
  readonly find: (digest: Digest) => Promise<FoundCode | null>
  /**
   * Marks the code as used and stores the tokens, or does neither; succeeds for exactly one caller (RFC 6749 4.1.2).
   * Returns false if nothing was written.
   */
  readonly redeem: (digest: Digest, issued: IssuedTokens, now: Date) => Promise<boolean>
  /** Counts a failed redemption. Returns the new count; 0 if the code was deleted. */
  readonly countFailure: (digest: Digest) => Promise<number>
}

export type RefreshToken = {
  readonly digest: Digest
  readonly grantId: GrantId
  readonly clientId: ClientId
  /** The absolute expiry, which no use extends. */
  readonly absoluteExpiresAt: Date
  /** The current expiry; equals the absolute one unless expiry slides. */
  readonly expiresAt: Date
  readonly createdAt: Date
  /** The claims of the first access token that later ones also have. */
  readonly accessTokenClaims: Claims
  readonly spentAt: Date | null
  /** The digest of the token that replaced it. */
  readonly successor: Digest | null
  /**
   * The sealed answer that contained the successor, for a retry within the retry window; `null` before the token is
   * used and after the answer is erased.
   */
  readonly sealedAnswer: string | null
  /** The end of the retry window of a used token. */
  readonly answerExpiresAt: Date | null
}

export type FoundRefreshToken = RefreshToken & { readonly grant: FoundGrant }

/** A refresh token that a new one replaces. */
export type UsedRefreshToken = {
  readonly digest: Digest
  /** The answer that contains the successor. */
  readonly sealedAnswer: string
  /** The time after which the purge may erase the answer. */
  readonly answerExpiresAt: Date
}

export type RefreshTokens = {
  /** Returns a token, even a used or expired one, while it is stored. */
  readonly find: (digest: Digest) => Promise<FoundRefreshToken | null>
  /**
   * Marks a token as used and stores its successor, or does neither; succeeds for exactly one caller. The sealed answer
   * that contained the used token is erased, because the client has received it. Returns false if nothing was
   * written.
   */
  readonly rotate: (used: UsedRefreshToken, issued: IssuedSuccessor, now: Date) => Promise<boolean>
  /** Returns the issue times of the latest unused refresh token of each grant. A grant without one is left out. */
  readonly lastIssuedAt: (grants: readonly GrantId[]) => Promise<ReadonlyMap<GrantId, Date>>
}

/** A reference access token: the claims that a JWT would contain, stored here. */
export type ReferenceToken = {
  readonly digest: Digest
  /** The grant; `null`: the client acts for itself. */
  readonly grantId: GrantId | null
  readonly subject: SubjectId | null
  readonly clientId: ClientId
  /** The full claim set, like a JWT payload. */
  readonly claims: Claims
  readonly expiresAt: Date
}

/** A stored token. `grant: null`: the client acts for itself. */
export type FoundReferenceToken = Omit<ReferenceToken, 'digest' | 'subject'> & {
  readonly grant: GrantOfToken | null
}

export type ReferenceTokens = {
  /** Returns a token, even an expired one, while it is stored: the caller compares `expiresAt`. */
  readonly find: (digest: Digest) => Promise<FoundReferenceToken | null>
  /** Deletes a token. Returns whether it existed. */
  readonly remove: (digest: Digest) => Promise<boolean>
}

/** The tokens of one response, as stored. */
export type IssuedTokens = {
  /** The grant; `null`: the client acts for itself. */
  readonly grantId: GrantId | null
  /** A later expiry of the grant, which must be valid as long as the tokens. An earlier one has no effect. */
  readonly grantExpiresAt?: Date | null
  readonly refreshToken?: RefreshToken | null
  readonly referenceToken?: ReferenceToken | null
  /** A reusable refresh token with its new sliding expiry. An earlier expiry has no effect. */
  readonly slid?: Pick<RefreshToken, 'digest' | 'expiresAt'> | null
}

export type IssuedSuccessor = IssuedTokens & { readonly refreshToken: RefreshToken }

export type Tokens = {
  /**
   * Stores all tokens or none. Returns false if the grant is revoked or missing: nothing is written then. Returns true
   * if there is nothing to store.
   */
  readonly store: (issued: IssuedTokens) => Promise<boolean>
}

/** A token that another server issued, with its grant. Its digest has no time prefix. */
export type ImportedToken =
  | { readonly kind: 'refresh'; readonly grant: Grant; readonly token: RefreshToken }
  /** A reference token. `grant: null`: the client acts for itself. */
  | { readonly kind: 'reference'; readonly grant: Grant | null; readonly token: ReferenceToken }

export type ImportedTokens = {
  /** Returns the digests of the tokens that an earlier import stored, whether or not they are still stored. */
  readonly known: (tokens: readonly ImportedToken[]) => Promise<ReadonlySet<Digest>>
}

/**
 * Self-contained tokens that were revoked before their expiry, by `jti`, or by their digest if they have none.
 */
export type RevokedTokens = {
  readonly add: (jti: string, expiresAt: Date) => Promise<void>
  /** Returns the grant of a user's token, and whether the token itself was revoked. */
  readonly findOfGrant: (
    grantId: GrantId,
    jti: string,
  ) => Promise<{ readonly grant: GrantOfToken | null; readonly isRevoked: boolean }>
  /**
   * Returns whether a token without a grant was revoked, and when all such tokens of the client or user were last
   * revoked; `null`: never, or all of them have expired.
   */
  readonly findOfOwner: (
    owner: ClientId | SubjectId,
    jti: string,
  ) => Promise<{ readonly isRevoked: boolean; readonly allRevokedAt: Date | null }>
}

export type Consent = {
  readonly subject: SubjectId
  readonly clientId: ClientId
  readonly scopes: readonly ScopeName[]
  readonly createdAt: Date
  readonly updatedAt: Date
  /** The expiry; `null`: valid until it is removed. */
  readonly expiresAt: Date | null
}

export type Consents = {
  /** Returns the consent; `null` if it does not exist or has expired. */
  readonly find: (subject: SubjectId, clientId: ClientId, now: Date) => Promise<Consent | null>
  /** Stores a consent, replacing an earlier one. */
  readonly store: (consent: Consent) => Promise<void>
  /** Replaces the scopes if they are unchanged since they were read. Returns false if nothing was written. */
  readonly narrow: (read: Consent, scopes: readonly ScopeName[], now: Date) => Promise<boolean>
  readonly remove: (subject: SubjectId, clientId: ClientId) => Promise<void>
  readonly allOf: (subject: SubjectId, now: Date) => Promise<readonly Consent[]>
}
