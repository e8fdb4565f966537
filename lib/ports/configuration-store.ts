/** Writes and reads the whole configuration: clients, scopes, users, identity providers and the policies of the site. */
import type { JsonValue } from '#lib/protocol/claims.ts'
import type { ClientId, ProviderScheme, ScopeName, SubjectId } from '#lib/protocol/ids.ts'
import type { Policies } from '#lib/protocol/registration/policies.ts'
import type { StoredSecret } from './clients.ts'
import type { IdentityProvider } from './upstream.ts'
import type { StoredUser } from './users.ts'

/**
 * A client. `metadata` is the registration document in its wire form (RFC 7591), without secrets; its key order is
 * preserved.
 */
export type ClientRecord = {
  readonly clientId: ClientId
  readonly metadata: JsonValue
  readonly secrets: readonly StoredSecret[]
}

export type ScopeRecord = {
  readonly name: ScopeName
  readonly metadata: JsonValue
  readonly secrets: readonly StoredSecret[]
}

/** The whole configuration, in registration order. */
export type Configuration = {
  readonly clients: readonly ClientRecord[]
  readonly scopes: readonly ScopeRecord[]
  readonly users: readonly StoredUser[]
  readonly providers: readonly IdentityProvider[]
  /** At most one. None: no one has set policies, and the defaults are in force. */
  readonly policies: readonly Policies[]
}

/**
 * A user to store. With `keepsPassword`, the stored password and its temporary mark are kept, even if the user changes
 * them concurrently; the given password is used only for a new user.
 */
export type UserToPut = StoredUser & { readonly keepsPassword?: boolean }

/** Changes of the configuration. `put` creates or replaces whole records; records that are not listed are unchanged. */
export type ConfigurationChanges = {
  /** Values of `Meta` by name, stored in the same transaction as the change. */
  readonly meta?: Readonly<Record<string, string>>
  /**
   * Values of `Meta` from which the change was derived; `null` for a missing one. `apply` throws when a different value
   * is stored.
   */
  readonly basedOn?: Readonly<Record<string, string | null>>
  readonly put: Partial<Omit<Configuration, 'users'> & { readonly users: readonly UserToPut[] }>
  readonly remove: {
    readonly clients?: readonly ClientId[]
    readonly scopes?: readonly ScopeName[]
    readonly users?: readonly SubjectId[]
    readonly providers?: readonly ProviderScheme[]
  }
}

/** The number of changed rows; a row that already had the given values is not counted. */
export type AppliedChanges = { readonly written: number; readonly removed: number }

export type ConfigurationStore = {
  /**
   * Stores all changes or nothing. Afterwards every node gets them at its next read. Removing a client or user also
   * revokes everything that was issued for it. Locking a user or changing the password hash ends the user's sessions
   * and grants. Throws `ConfigurationConflict` when the changes contradict the stored data, for example when a subject
   * equals a client ID (a token's `sub` could mean either) or a canonical user name is taken, and
   * `ConfigurationOutdated` when a value of `basedOn` has changed.
   */
  readonly apply: (changes: ConfigurationChanges, now: Date) => Promise<AppliedChanges>
  /** Returns everything except the users, of whom there can be many. */
  readonly read: () => Promise<Omit<Configuration, 'users'>>
  /** Returns all users, in the order of their creation. */
  readonly readUsers: () => Promise<readonly StoredUser[]>
  /** Returns the revision, which grows with every change of a client, a scope, an identity provider or the policies. */
  readonly revision: () => Promise<number>
}

/** Named values about this installation, such as the check value of the master key. */
export type Meta = {
  readonly find: (name: string) => Promise<string | null>
  /** Stores the value unless there is already one, and returns the stored one, so that all nodes agree on the first. */
  readonly settle: (name: string, value: string) => Promise<string>
  readonly replace: (name: string, value: string) => Promise<void>
  /**
   * Stores `value` if the stored value is `expected`; `null`: if there is none. Returns whether it did: of several callers that
   * expect the same value, on any node, one succeeds.
   */
  readonly exchange: (name: string, expected: string | null, value: string) => Promise<boolean>
}

const mark = Symbol.for('latchkey.configuration-conflict')
const outdated = Symbol.for('latchkey.configuration-outdated')

/**
 * Another node changed the state from which a change was derived. Nothing was written; the change must be derived
 * again.
 */
export class ConfigurationOutdated extends Error {
  constructor(name: string) {
    super(`Another node has changed ${name}.`)
    Object.defineProperty(this, outdated, { value: true })
  }
}

export function isConfigurationOutdated(error: unknown): error is ConfigurationOutdated {
  return typeof error === 'object' && error !== null && outdated in error
}

/** A change contradicts the stored data. The message is a sentence for the operator. */
export class ConfigurationConflict extends Error {
  constructor(message: string) {
    super(message)
    Object.defineProperty(this, mark, { value: true })
  }
}

export function isConfigurationConflict(error: unknown): error is ConfigurationConflict {
  return typeof error === 'object' && error !== null && mark in error
}
