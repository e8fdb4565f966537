/**
 * The ports of the dashboard's use cases: all ports of the core, and ports of the administration. `lib/server/services.ts`
 * creates them.
 */
import type { AdminLists } from '#lib/ports/admin-lists.ts'
import type { AdminStore } from '#lib/ports/admin-store.ts'
import type {
  AdminInvitations,
  Administrators,
  AdminPageStates,
  AdminSessions,
  DatabaseStatus,
} from '#lib/ports/administration.ts'
import type { Aggregates } from '#lib/ports/aggregates.ts'
import type { ConfigurationStore, Meta } from '#lib/ports/configuration-store.ts'
import type { EventLog } from '#lib/ports/events.ts'
import type { ChangedAddress, MailState, SecurityChange } from '#lib/ports/mail.ts'
import type { NewDelivery, Outbox } from '#lib/ports/outbox.ts'
import type { PlannedChange } from '#lib/ports/planned-changes.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { RateLimitRule } from '#lib/ports/rate-limiter.ts'
import type { KeyWrite, SigningKeys } from '#lib/ports/signing-keys.ts'
import type { SubjectId } from '#lib/protocol/ids.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'
import type { SigningAlgorithm } from '#lib/protocol/vocabulary.ts'
import type { ClientTestCalls } from './clients/client-test/client-test-result.ts'
import type { Keepers } from './configuration/configured-records.ts'
import type { ProviderTests } from './providers/provider-test.ts'
import type { GroupedFinding, SelfTestResult } from './status/finding.ts'

/** Exported again for pages, which may not import the ports. */
export type { AdminLists, Usage } from '#lib/ports/admin-lists.ts'
export type { AuditRow, TargetKind } from '#lib/ports/admin-store.ts'

/** The key ring as admins use it; see `lib/crypto/keys/key-ring.ts`. Each plan is stored together with its audit row. */
export type KeyRotation = {
  readonly planRotation: (algorithm: SigningAlgorithm) => Promise<readonly KeyWrite[]>
  readonly planRevocation: (kid: string) => Promise<readonly KeyWrite[]>
  /** Called after a change of the keys: the next signature reads them again. */
  readonly forget: () => void
}

export type AdminPorts = Ports & {
  readonly siteName: string
  readonly adminStore: AdminStore
  readonly adminLists: AdminLists
  readonly administrators: Administrators
  readonly adminSessions: AdminSessions
  readonly adminInvitations: AdminInvitations
  readonly adminPageStates: AdminPageStates
  readonly configuration: ConfigurationStore
  readonly meta: Meta
  readonly signingKeys: SigningKeys
  readonly keyRotation: KeyRotation
  readonly eventLog: EventLog
  readonly aggregates: Aggregates
  readonly databaseStatus: DatabaseStatus
  readonly outbox: Outbox
  /** How this server sends mail. */
  readonly mail: MailState
  /** Makes the mail about a change by an administrator, without a link to take it back; see `lib/core/sign-in/security-notice.ts`. */
  readonly securityNotice: (
    subject: SubjectId,
    change: SecurityChange,
    details?: Readonly<Record<string, string>>,
  ) => Promise<readonly NewDelivery[]>
  /** Makes the mail about a planned change that an administrator cancels; see `lib/identity/planned-changes.ts`. */
  readonly canceledNotice: (change: PlannedChange) => Promise<readonly NewDelivery[]>
  /** Makes the mails about a changed address, before the change is stored. */
  readonly addressNotice: (changed: ChangedAddress) => Promise<readonly NewDelivery[]>
  /** Returns the rules that limit attempts and mails of a user, by the name of their limit; see `lib/identity/user-limits.ts`. */
  readonly limitsOfUser: (
    subject: SubjectId,
    address: string | null,
  ) => Readonly<
    Record<'second_factor' | 'recovery_mail' | 'address_mail' | 'registration_mail', readonly RateLimitRule[]>
  >
  /** Stores the buffered events, so that the latest can be read. */
  readonly flushEvents: () => Promise<void>
  /**
   * Exchanges the dashboard's own code for its ID token. Returns `null` if the token endpoint refuses or issues no ID token.
   */
  readonly redeem: (
    redemption: { readonly code: string; readonly verifier: string; readonly redirectUri: string },
    context: RequestContext,
  ) => Promise<string | null>
  /** Test sign-ins at an identity provider, which create no session; see `lib/identity/provider-test.ts`. */
  readonly providerTests: ProviderTests
  /** Requests of client tests to endpoints of this server; see `lib/server/wiring/own-client-calls.ts`. */
  readonly clientTestCalls: ClientTestCalls
  /** Runs the checks of the doctor on this server; see `lib/server/doctor`. */
  readonly examine: () => Promise<readonly GroupedFinding[]>
  /** Runs the self-test; `null` if one is running. See `lib/server/self-test`. */
  readonly selfTest: () => Promise<readonly SelfTestResult[] | null>
  /** The version of this release, and the workers of this node; `null` if it has one process. */
  readonly release: () => Promise<{
    readonly version: string
    readonly workers: { readonly wanted: number; readonly running: number } | null
  }>
  readonly secretKeeper: Keepers['secrets'] & { readonly generate: () => string }
}
