/** The lists and counts of the dashboard. Lists that can become long are read as keyset pages. */

import type { ClientId, ProviderScheme, ScopeName, SessionId, SubjectId } from '#lib/protocol/ids.ts'
import type { ClientKind, NotedSetting } from '#lib/protocol/registration/client.ts'
import type { Policies } from '#lib/protocol/registration/policies.ts'
import type { LinkedIdentity } from './account-links.ts'
import type { SecretForm } from './clients.ts'
import type { ClientRecord, ScopeRecord } from './configuration-store.ts'
import type { Consent, Grant } from './grants.ts'
import type { Session } from './sessions.ts'
import type { IdentityProvider } from './upstream.ts'
import type { UserInvitation } from './user-invitations.ts'
import type { StoredUser } from './users.ts'

/**
 * A page of a list. `next` is the position after it, `null` at the end; only the adapter interprets it. A page may have
 * fewer items than requested, even none, without being the last, so that a slow search can show progress.
 */
export type Page<T> = { readonly items: readonly T[]; readonly next: string | null }
/** The request of a page. `after` must come from a page with the same filter and order. */
export type PageRequest = { readonly after: string | null; readonly limit: number }

/**
 * Sorts by this time instead of the default; rows without this time come last. A search has a fixed order and ignores
 * it.
 */
export type TimeOrder<By extends string> = { readonly by: By; readonly isDescending: boolean }

/**
 * A count that stops at a limit: `{ count: 10_000, isMore: true }` is shown as "10,000+". A search may stop earlier.
 */
export type Counted = { readonly count: number; readonly isMore: boolean }

export type Versioned<T> = T & {
  readonly version: number
  readonly createdAt: Date
  readonly updatedAt: Date
}

/**
 * A filter for clients. `search`: the beginning of any word of the name, or of the ID; case and accents do not matter.
 */
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
  /** The next expiry of a valid secret that is not handed over to a successor. */
  readonly secretExpiresAt: Date | null
}

export type NamedClient = Pick<ListedClient, 'clientId' | 'name'>

export type SecretDates = {
  readonly id: string
  readonly name: string | null
  readonly storedAs: SecretForm
  readonly createdAt: Date
  readonly expiresAt: Date | null
  readonly lastUsedAt: Date | null
}

/**
 * A filter for users. `search`: the beginning of any word of user name, name, email address or phone number; or a whole
 * subject.
 */
export type UserFilter = { readonly search: string | null; readonly enabled: boolean | null }

export type ListedUser = {
  readonly subject: SubjectId
  readonly username: string
  /** The name that `nameOfUser` returns. */
  readonly name: string | null
  readonly email: string | null
  readonly enabled: boolean
  readonly createdAt: Date
  /** The last sign-in, accurate to the minute; `null`: no sign-in was recorded. */
  readonly lastSignInAt: Date | null
}

/** An address that is the verified address of several users, or that of one and the user name of another. */
export type SharedAddress = {
  /** The address, with its case folded. */
  readonly email: string
  readonly users: readonly { readonly subject: SubjectId; readonly username: string }[]
}

/** An invitation of a user. `usedAt` and `subject`: when it was used, and for which account. */
export type ListedInvitation = UserInvitation & {
  readonly usedAt: Date | null
  readonly subject: SubjectId | null
}

/** A filter for invitations. `search`: the beginning of the address. */
export type InvitationFilter = {
  readonly state: 'open' | 'used' | 'expired' | null
  readonly search: string | null
}

export type SessionFilter = { readonly subject: SubjectId | null }
export type GrantFilter = { readonly subject: SubjectId | null; readonly clientId: ClientId | null }

/** A live grant with the numbers of its valid tokens. */
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

/** Lists grants, access or consents of users for clients. */
export type ListOwned<T> = (
  filter: GrantFilter,
  page: PageRequest,
  now: Date,
  order?: TimeOrder<'granted'> | null,
) => Promise<Page<T>>

/** The live objects of the selected user or client, or of all. A session belongs to no client, so a client has none. */
export type Usage = {
  /** The users who own the counted grants or sessions. */
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
  /** Returns every scope, of which there are few. */
  readonly scopes: () => Promise<readonly Versioned<ScopeRecord>[]>
  readonly scope: (
    name: ScopeName,
  ) => Promise<Versioned<ScopeRecord & { readonly secretDates: readonly SecretDates[] }> | null>
  /** Returns every identity provider. Their secrets are sealed. */
  readonly providers: () => Promise<readonly Versioned<IdentityProvider>[]>
  /** Returns the policies of the site; `null` if no one has set them. */
  readonly policies: () => Promise<Versioned<Policies> | null>
  /**
   * Returns clients sorted by name: those that list the scope or the provider, or that are enabled and have the
   * setting.
   */
  readonly clientsWith: (
    what:
      | { readonly scope: ScopeName }
      | { readonly provider: ProviderScheme }
      | { readonly setting: NotedSetting },
    limit: number,
  ) => Promise<readonly NamedClient[]>
  /** Returns the number of users who are linked to this provider, with any of its issuers. */
  readonly linkedUsers: (scheme: ProviderScheme) => Promise<Counted>
  /**
   * Lists users, by default sorted by user name. A search lists exact matches of user name, email address, name or
   * subject first, the others by name; if it finds many users, it lists all of them in the order of the matched words.
   */
  readonly users: (
    filter: UserFilter,
    page: PageRequest,
    order?: TimeOrder<'created' | 'last_sign_in'> | null,
  ) => Promise<Page<ListedUser>>
  readonly countUsers: (filter: UserFilter) => Promise<Counted>
  /** Counts the users whose password hash was imported and not replaced yet. */
  readonly countImportedHashes: () => Promise<Counted>
  /** Returns the first addresses that name several users. */
  readonly sharedAddresses: (most: number) => Promise<readonly SharedAddress[]>
  /** Counts the enabled users with neither a passkey nor an authenticator app. */
  readonly countUsersWithoutFactor: () => Promise<Counted>
  readonly user: (
    subject: SubjectId,
  ) => Promise<Versioned<
    StoredUser & { readonly linked: readonly LinkedIdentity[]; readonly lastSignInAt: Date | null }
  > | null>
  /** Lists invitations of users, newest first. */
  readonly userInvitations: (
    filter: InvitationFilter,
    page: PageRequest,
    now: Date,
  ) => Promise<Page<ListedInvitation>>
  readonly countUserInvitations: (filter: InvitationFilter, now: Date) => Promise<Counted>
  readonly userInvitation: (id: string) => Promise<ListedInvitation | null>
  /** Returns those of these addresses to which an invitation was made that can still be used. Case does not matter. */
  readonly invitedAddresses: (emails: readonly string[], now: Date) => Promise<ReadonlySet<string>>
  /** Lists live sessions; by default the last used first. */
  readonly sessions: (
    filter: SessionFilter,
    page: PageRequest,
    now: Date,
    order?: TimeOrder<'last_active' | 'signed_in'> | null,
  ) => Promise<Page<Session>>
  /** Returns the user of the session; `null` if it does not exist. */
  readonly sessionOwner: (sessionId: SessionId) => Promise<SubjectId | null>
  /**
   * Lists one row for each user and client with a live grant, sorted by the newest of these grants; by default the
   * latest first.
   */
  readonly access: ListOwned<ListedAccess>
  /** Lists live grants; by default the newest first. A grant whose code expired before it was redeemed is not live. */
  readonly grants: ListOwned<ListedGrant>
  /** Lists unexpired consents; by default the latest first. */
  readonly consents: ListOwned<Consent>
  readonly usage: (filter: GrantFilter, now: Date) => Promise<Usage>
  /**
   * Lists secrets of clients and scopes that expire before `until`, the soonest first, including those that have
   * expired since `from`. A secret is left out if its successor is in use and it was not used since the successor was
   * created.
   */
  readonly expiringSecrets: (
    from: Date,
    until: Date,
    limit: number,
  ) => Promise<
    readonly {
      readonly owner: 'client' | 'scope'
      /** The client ID or scope name. */
      readonly id: string
      readonly name: string | null
      readonly expiresAt: Date
      /** The secret that replaces it; `null`: it was not replaced. */
      readonly successor: { readonly name: string; readonly isUsed: boolean } | null
    }[]
  >
  /** Returns the names of these users. Unknown subjects are left out. */
  readonly namesOf: (
    subjects: readonly SubjectId[],
  ) => Promise<ReadonlyMap<string, { readonly username: string; readonly name: string | null }>>
}
