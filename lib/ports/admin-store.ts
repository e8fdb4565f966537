/**
 * Stores the changes of admins and operators. The writes of a change and its audit rows are one transaction: neither is
 * stored without the other.
 */
import type { AdminRole } from '#lib/protocol/admin-role.ts'
import type { JsonValue } from '#lib/protocol/claims.ts'
import type {
  ClientId,
  Digest,
  GrantId,
  ProviderScheme,
  ScopeName,
  SessionId,
  SubjectId,
} from '#lib/protocol/ids.ts'
import type { Policies, policiesId } from '#lib/protocol/registration/policies.ts'
import type { AdminInvitation } from './administration.ts'
import type { ClientRecord, ConfigurationChanges, ScopeRecord } from './configuration-store.ts'
import type { Consent, ImportedToken } from './grants.ts'
import type { NewDelivery, OutboxWrite } from './outbox.ts'
import type { PlannedChangeWrite } from './planned-changes.ts'
import type { KeyWrite } from './signing-keys.ts'
import type { IdentityProvider } from './upstream.ts'
import type { UserInvitationWrite } from './user-invitations.ts'
import type { ExternalKey, StoredUser } from './users.ts'

export const targetKinds = [
  'client',
  'scope',
  'user',
  'provider',
  'policies',
  'key',
  'session',
  'consent',
  'grant',
  'administrator',
  'invitation',
  'user_invitation',
  'configuration',
  'delivery',
  'self_test',
] as const
export type TargetKind = (typeof targetKinds)[number]

/** The actions that delete a user: by an administrator, and by the user. The subject is never used again. */
export const userDeletions = ['users.delete', 'users.delete_own'] as const

/** The data of an audit row. `before` and `after` describe the object, without secrets, hashes and handles. */
export type AuditEntry = {
  /** The name of the action, such as `clients.update`. */
  readonly action: string
  /** The administrator, or a user who deletes the own account; `null`: the operator. */
  readonly actor: SubjectId | null
  readonly actorRole: AdminRole | null
  readonly targetKind: TargetKind
  readonly targetId: string
  readonly before: JsonValue | null
  readonly after: JsonValue | null
  readonly requestId: string
  readonly address: string | null
}

/**
 * A row of the audit log. `hash` is a keyed digest over the row and the hash of the row before it. `seq` counts from 1
 * without gaps.
 */
export type AuditRow = AuditEntry & { readonly seq: number; readonly time: Date; readonly hash: string }

/** A stored row. `row` is `null` if this server cannot have written the stored values. */
export type StoredAuditRow = { readonly seq: number; readonly row: AuditRow | null }

/** The records of the configuration, and their IDs. */
type Configured = {
  readonly client: { readonly record: ClientRecord; readonly id: ClientId }
  readonly scope: { readonly record: ScopeRecord; readonly id: ScopeName }
  readonly user: { readonly record: StoredUser; readonly id: SubjectId }
  readonly provider: { readonly record: IdentityProvider; readonly id: ProviderScheme }
  readonly policies: { readonly record: Policies; readonly id: typeof policiesId }
}
export type ConfiguredKind = keyof Configured

/** The version of a record that the admin saw. `0`: the record must not exist. */
export type Expected = {
  readonly kind: ConfiguredKind
  readonly id: Configured[ConfiguredKind]['id']
  readonly version: number
}

/** The role of an administrator; `null`: the user is not an administrator. */
export type HeldRole = { readonly subject: SubjectId; readonly role: AdminRole | null }

/**
 * Selects sessions, grants or consents to end. Several fields narrow the selection; `{}` selects all. Sessions belong
 * to no client and no grant, consents to no session and no grant: a field that does not apply is refused with a
 * TypeError. If it were ignored, too much would be selected.
 */
export type EndSelection = {
  readonly subject?: SubjectId
  readonly clientId?: ClientId
  readonly sessionId?: SessionId
  readonly grantId?: GrantId
}

/** Creates or replaces a record. `expectedVersion`: the version that the admin saw, compared in the transaction. */
export type PutRecord<Kind extends ConfiguredKind> = {
  readonly kind: 'put'
  readonly of: Kind
  readonly record: Configured[Kind]['record']
  readonly expectedVersion: number
}

/**
 * Deletes a record. With a client or user, everything that was issued for it is revoked; with a provider, its sessions
 * and grants end.
 */
type RemoveRecord<Kind extends ConfiguredKind> = {
  readonly kind: 'remove'
  readonly of: Kind
  readonly id: Configured[Kind]['id']
  readonly expectedVersion: number
}

export type ConfigurationWrite = {
  [Kind in ConfiguredKind]: PutRecord<Kind> | RemoveRecord<Kind>
}[ConfiguredKind]

/** An identity at an identity provider with which a user signs in. */
export type AccountLink = ExternalKey & { readonly account: SubjectId }

export type AdminWrite =
  | ConfigurationWrite
  /** Stores a whole import. `expected`: the versions of the stored records with which it was compared. */
  | {
      readonly kind: 'import'
      readonly put: ConfigurationChanges['put']
      readonly expected: readonly Expected[]
      /** Tokens. A token that an earlier import stored is not stored again, even if it was revoked in the meantime. */
      readonly tokens?: readonly ImportedToken[]
      /** Values of `Meta` by name. */
      readonly meta?: Readonly<Record<string, string>>
      /** Links and consents that are not stored yet. */
      readonly links?: readonly AccountLink[]
      readonly consents?: readonly Consent[]
    }
  /** Ends browser sessions and the grants made in them, except offline grants. */
  | { readonly kind: 'end_sessions'; readonly selection: EndSelection }
  /** Revokes the grants and tokens of the selection. */
  | { readonly kind: 'revoke_grants'; readonly selection: EndSelection }
  /** Removes remembered consents, and revokes all grants of the selection. */
  | { readonly kind: 'remove_consents'; readonly selection: EndSelection }
  /**
   * Removes the authenticator app, recovery codes and trusted browsers of a subject, its passkeys if `passkeys` is set, and its
   * interrupted sign-ins, whose factors may be the removed ones. Stores `notices` if a factor was removed.
   */
  | {
      readonly kind: 'reset_factors'
      readonly subject: SubjectId
      readonly passkeys: boolean
      readonly notices: readonly NewDelivery[]
    }
  /** Unlinks an identity like `AccountLinks.remove`, also if no other way to sign in remains. */
  | {
      readonly kind: 'unlink'
      readonly account: SubjectId
      readonly key: ExternalKey
      readonly notices: readonly NewDelivery[]
    }
  /** Replaces a value of `Meta`. Conflicts if the stored value is not `from`. */
  | { readonly kind: 'replace_value'; readonly name: string; readonly from: string; readonly to: string }
  | { readonly kind: 'put_administrator'; readonly subject: SubjectId; readonly role: AdminRole }
  | { readonly kind: 'remove_administrator'; readonly subject: SubjectId }
  | { readonly kind: 'put_invitation'; readonly invitation: AdminInvitation }
  | { readonly kind: 'remove_invitation'; readonly digest: Digest }
  /** Consumes the invitation and creates its administrator, and the account `newUser` unless it is `null`. */
  | {
      readonly kind: 'accept_invitation'
      readonly digest: Digest
      readonly subject: SubjectId
      readonly newUser: StoredUser | null
    }
  | UserInvitationWrite
  | PlannedChangeWrite
  | KeyWrite
  | OutboxWrite

/**
 * The result. `conflict`: a stored version is not the one that the admin saw (`expected`), or the change contradicts
 * the stored data, for example because a name is taken (`reason`, a sentence, if there is one). `gone`: the invitation
 * was used, removed or has expired, or the planned change has ended. `last_owner`: no owner who can sign in would be left (AD-06). `role_changed`: an
 * administrator no longer has the role that the change requires. Except for `done`, nothing was written.
 */
export type Committed =
  | { readonly kind: 'done'; readonly changed: number }
  | { readonly kind: 'conflict'; readonly expected: Expected | null; readonly reason: string | null }
  | { readonly kind: 'gone' }
  | { readonly kind: 'last_owner' }
  | { readonly kind: 'role_changed' }

export type Change = {
  readonly writes: readonly AdminWrite[]
  /**
   * The roles that administrators must have when the change is stored. If one no longer has its role, nothing is stored
   * (AD-01).
   */
  readonly roles?: readonly HeldRole[]
  /** The audit entries. A TypeError is thrown if there is none. */
  readonly audit: readonly AuditEntry[]
}

export type AuditFilter = {
  readonly targetKind?: TargetKind
  readonly targetId?: string
  /** The administrator; `null`: the operator. */
  readonly actor?: SubjectId | null
  readonly action?: string
  readonly from?: Date
  /** The end of the period, exclusive. */
  readonly until?: Date
}

export type AuditTrail = {
  /** Lists rows, newest first, without damaged ones; `before` is the `seq` of the last row of the previous page. */
  readonly list: (filter: AuditFilter, before: number | null, limit: number) => Promise<readonly AuditRow[]>
  /**
   * Lists rows like `list`, including damaged ones, so that an admin sees them. A damaged row matches by the values of its
   * columns.
   */
  readonly page: (
    filter: AuditFilter,
    before: number | null,
    limit: number,
  ) => Promise<readonly StoredAuditRow[]>
  /** Returns a row; `null` if it does not exist or is damaged. */
  readonly find: (seq: number) => Promise<AuditRow | null>
  /** Returns a batch of rows, oldest first, for verification. */
  readonly read: (after: number, limit: number) => Promise<readonly StoredAuditRow[]>
  /** Returns the recorded end of the chain; `null` before the first change. */
  readonly head: () => Promise<{ readonly seq: number; readonly hash: string } | null>
}

export type AdminStore = {
  /**
   * Stores the whole change or nothing. Every node gets a changed configuration at its next read. In the server, the
   * end of the audit chain is logged afterwards, and signing keys that the change needs are made.
   */
  readonly commit: (change: Change, now: Date) => Promise<Committed>
  readonly audit: AuditTrail
}

/** Computes the keyed digest of one audit row: `crypto/audit-chain.ts`. `previous` is `''` for the first row. */
export type AuditHash = (previous: string, row: Omit<AuditRow, 'hash'>) => string
