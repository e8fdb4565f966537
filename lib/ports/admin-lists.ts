/** The lists of the dashboard, read as keyset pages in the order of an index: fast with a million rows. */

import type { ClientId, ProviderScheme, ScopeName, SessionId, SubjectId } from '#lib/protocol/ids.ts'
import type { ClientKind, LegacySwitch } from '#lib/protocol/registration/client.ts'
import type { SecretForm } from './clients.ts'
import type { ClientRecord, ScopeRecord } from './configuration-store.ts'
import type { Consent, Grant } from './grants.ts'
import type { Session } from './sessions.ts'
import type { IdentityProvider } from './upstream.ts'
import type { ExternalKey, StoredUser } from './users.ts'

/**
 * `next` is the position to read on from, `null` at the end. Only the adapter interprets it. A page may have
 * fewer items than requested, even none, and not be the last, so that a slow search can show progress.
 */
export type Page<T> = { readonly items: readonly T[]; readonly next: string | null }
/** `after` must come from a page with the same filter. */
export type PageRequest = { readonly after: string | null; readonly limit: number }

/** Sorts by a time instead of by name; rows without this time come last. A search has its own order and ignores it. */
export type TimeOrder<By extends string> = { readonly by: By; readonly isDescending: boolean }

/** Counting stops at a limit: `{ count: 10_000, isMore: true }` is shown as "10,000+". A search may stop earlier. */
export type Counted = { readonly count: number; readonly isMore: boolean }

export type Versioned<T> = T & {
  readonly version: number
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** `search`: the beginning of any word of the name, or of the id; case and accents do not matter. */
export type ClientFilter = {
  readonly search: string | null
  readonly kind: ClientKind | null
  readonly enabled: boolean | null
}

export type ListedClient = {
  readonly clientId: ClientId
  readonly name: string
  readonly kind: ClientKind
  readonly enabled: boolean
  readonly createdAt: Date
  readonly updatedAt: Date
  readonly lastUsedAt: Date | null
  /** The next end of a secret that has not expired. */
  readonly secretExpiresAt: Date | null
}

export type SecretDates = {
  readonly id: string
  readonly name: string | null
  readonly storedAs: SecretForm
  readonly createdAt: Date
  readonly expiresAt: Date | null
  readonly lastUsedAt: Date | null
}

/** `search`: the beginning of any word of username, name, email address or telephone number; or a whole subject. */
export type UserFilter = { readonly search: string | null; readonly enabled: boolean | null }

export type ListedUser = {
  readonly subject: SubjectId
  readonly username: string
  /** The name that `nameOfUser` returns. */
  readonly name: string | null
  readonly email: string | null
  readonly enabled: boolean
  readonly createdAt: Date
  /** The last sign-in, to the minute; `null`: no sign-in was recorded. */
  readonly lastSignInAt: Date | null
}

type LinkedAccount = ExternalKey & { readonly createdAt: Date }

export type SessionFilter = { readonly subject: SubjectId | null }
export type GrantFilter = { readonly subject: SubjectId | null; readonly clientId: ClientId | null }

/** A live grant with the number of its valid tokens. */
export type ListedGrant = Grant & {
  readonly refreshTokens: number
  readonly referenceTokens: number
}

/** All live grants of one user for one client, as one row. */
export type ListedAccess = {
  readonly subject: SubjectId
  readonly clientId: ClientId
  readonly scopes: Grant['scopes']
  readonly grants: number
  readonly refreshTokens: number
  readonly referenceTokens: number
  /** The time at which the newest of its grants was created. */
  readonly latestAt: Date
}

/** Lists grants, access or consents, which a user gave to a client. */
export type ListOwned<T> = (
  filter: GrantFilter,
  page: PageRequest,
  now: Date,
  order?: TimeOrder<'granted'> | null,
) => Promise<Page<T>>

/**
 * Counts what would end if an object were deleted or revoked now. A session belongs to a user, so it does not end with a
 * client.
 */
export type Usage = {
  /** The users who own these grants or sessions; a consent without a grant is not counted. */
  readonly users: Counted
  readonly grants: Counted
  readonly consents: Counted
  readonly sessions: Counted
}

export type AdminLists = {
  readonly clients: (
    filter: ClientFilter,
    page: PageRequest,
    now: Date,
    order?: TimeOrder<'updated' | 'last_used'> | null,
  ) => Promise<Page<ListedClient>>
  readonly countClients: (filter: ClientFilter) => Promise<Counted>
  readonly client: (clientId: ClientId) => Promise<Versioned<
    ClientRecord & {
      readonly kind: ClientKind
      readonly lastUsedAt: Date | null
      readonly secretDates: readonly SecretDates[]
    }
  > | null>
  /** Every scope: there are few. */
  readonly scopes: () => Promise<readonly Versioned<ScopeRecord>[]>
  readonly scope: (
    name: ScopeName,
  ) => Promise<Versioned<ScopeRecord & { readonly secretDates: readonly SecretDates[] }> | null>
  /** Every identity provider. Their secrets are sealed. */
  readonly providers: () => Promise<readonly Versioned<IdentityProvider>[]>
  /** Clients by name: those that name the scope, list the provider, or are enabled and use the legacy setting. */
  readonly clientsWith: (
    what:
      | { readonly scope: ScopeName }
      | { readonly provider: ProviderScheme }
      | { readonly legacySwitch: LegacySwitch },
    limit: number,
  ) => Promise<readonly { readonly clientId: ClientId; readonly name: string }[]>
  /** The number of users who have signed in at this provider, with any of its issuers. */
  readonly linkedUsers: (scheme: ProviderScheme) => Promise<Counted>
  /**
   * Sorts by user name. A search lists exact matches of user name, email address, name or subject first, then sorts by name;
   * if it finds too many users to sort, it lists them in the order of the matched words.
   */
  readonly users: (
    filter: UserFilter,
    page: PageRequest,
    order?: TimeOrder<'created' | 'last_sign_in'> | null,
  ) => Promise<Page<ListedUser>>
  readonly countUsers: (filter: UserFilter) => Promise<Counted>
  /** Counts the users whose password hash was imported and not replaced yet. */
  readonly countImportedHashes: () => Promise<Counted>
  readonly user: (
    subject: SubjectId,
  ) => Promise<Versioned<
    StoredUser & { readonly linked: readonly LinkedAccount[]; readonly lastSignInAt: Date | null }
  > | null>
  /** Live sessions; without an order the latest used first. */
  readonly sessions: (
    filter: SessionFilter,
    page: PageRequest,
    now: Date,
    order?: TimeOrder<'last_active' | 'signed_in'> | null,
  ) => Promise<Page<Session>>
  /** The user of the session; `null` if it does not exist. */
  readonly sessionOwner: (sessionId: SessionId) => Promise<SubjectId | null>
  /** One for each user and client with a live grant, by the newest of these grants; without an order the latest first. */
  readonly access: ListOwned<ListedAccess>
  /** Live grants; without an order newest first. A grant whose code expired before it was redeemed is not live. */
  readonly grants: ListOwned<ListedGrant>
  /** Unexpired consents; without an order the latest given first. */
  readonly consents: ListOwned<Consent>
  readonly usage: (filter: GrantFilter, now: Date) => Promise<Usage>
  /** Secrets of clients and scopes that end before `until`, soonest first; recently ended ones are included. */
  readonly expiringSecrets: (
    from: Date,
    until: Date,
    limit: number,
  ) => Promise<
    readonly {
      readonly owner: 'client' | 'scope'
      /** The client ID or scope name. */
      readonly id: string
      /** The name of the secret. */
      readonly name: string | null
      readonly expiresAt: Date
    }[]
  >
  /** Names of these users, for lists that contain only subjects. Unknown subjects are left out. */
  readonly namesOf: (
    subjects: readonly SubjectId[],
  ) => Promise<ReadonlyMap<string, { readonly username: string; readonly name: string | null }>>
}
