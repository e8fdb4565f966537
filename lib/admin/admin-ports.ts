/** What the use cases of the dashboard need: the core's ports and the admin's own. `lib/server/services.ts` fills it. */
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
import type { Ports } from '#lib/ports/ports.ts'
import type { KeyWrite, SigningKeys } from '#lib/ports/signing-keys.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'
import type { SigningAlgorithm } from '#lib/protocol/vocabulary.ts'
import type { ClientTestCalls } from './clients/client-test/client-test-result.ts'
import type { Keepers } from './configuration/configured-records.ts'
import type { ProviderTests } from './providers/provider-test.ts'

/** Types of the ports that pages show unchanged. */
export type { AdminLists, Usage } from '#lib/ports/admin-lists.ts'
export type { AuditRow, TargetKind } from '#lib/ports/admin-store.ts'

/** The key ring as admins use it; see `lib/crypto/keys/key-ring.ts`. What it plans is written with its audit row. */
export type KeyRotation = {
  readonly planRotation: (algorithm: SigningAlgorithm) => Promise<readonly KeyWrite[]>
  readonly planRevocation: (kid: string) => Promise<readonly KeyWrite[]>
  /** After a change: the next signature reads the keys again. */
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
  /** Writes out the events that wait, so that what just happened can be read. */
  readonly flushEvents: () => Promise<void>
  /** Exchanges the dashboard's own code for its ID token; `null` when the token endpoint refuses. */
  readonly redeem: (
    redemption: { readonly code: string; readonly verifier: string; readonly redirectUri: string },
    context: RequestContext,
  ) => Promise<string | null>
  /** The test sign-in at a provider, which creates no session; see `lib/identity/provider-test.ts`. */
  readonly providerTests: ProviderTests
  /** Requests of client tests at the token endpoint and userinfo; see `lib/server/wiring/own-client-calls.ts`. */
  readonly clientTestCalls: ClientTestCalls
  readonly passwordProblem: Keepers['passwordProblem']
  readonly secretKeeper: Keepers['secrets'] & { readonly generate: () => string }
}
