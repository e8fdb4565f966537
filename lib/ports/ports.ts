/** Everything that the core needs from outside, as one plain value. `lib/server/services.ts` fills it. */
import type { AccessTokenFormat, EndpointName, SignOutPrompt } from '#lib/protocol/vocabulary.ts'
import type { Administrators } from './administration.ts'
import type { Clients, Scopes, Secrets, UsageMarks } from './clients.ts'
import type { DeviceNotices } from './device-notices.ts'
import type { Afterwards, Clock, Hashing, Random, Sealing } from './environment.ts'
import type { Events } from './events.ts'
import type { CustomGrant, Hooks, SignInField, TokenClaims } from './extensions.ts'
import type { GrantPorts } from './grants.ts'
import type { MailState } from './mail.ts'
import type { MailProofPorts } from './mail-proofs.ts'
import type { IssuedTokenCounter } from './metrics.ts'
import type { Outbox } from './outbox.ts'
import type { LeavingUsers, ManagedUsers } from './own-account.ts'
import type { PasskeyPorts, PasskeysOff, RelyingParty } from './passkeys.ts'
import type { Passwords } from './passwords.ts'
import type { PlannedChangePorts } from './planned-changes.ts'
import type { SitePolicies } from './policies.ts'
import type { RateLimiter } from './rate-limiter.ts'
import type { SecondFactorPorts } from './second-factors.ts'
import type { SessionPorts } from './sessions.ts'
import type { SignInStep } from './sign-in-steps.ts'
import type { Signer } from './signing-keys.ts'
import type { TakenBackChangePorts } from './taken-back-changes.ts'
import type { Trace } from './tracing.ts'
import type { IdentityProviders, Upstream } from './upstream.ts'
import type { UserInvitationPorts } from './user-invitations.ts'
import type { UserService, Users } from './users.ts'

/** Settings that decisions depend on. Lifetimes of clients are fields of the client. */
export type Settings = {
  /** The issuer without a trailing slash; compared and emitted byte for byte. */
  readonly issuer: string
  readonly refreshRetryWindowSeconds: number
  /** The format of access tokens if neither client nor scopes set one. */
  readonly accessTokenFormat: AccessTokenFormat
  readonly signOutPrompt: SignOutPrompt
  readonly enabledEndpoints: ReadonlySet<EndpointName>
  /** Whether users can sign in with a password of this server; `clients` already applies it to every client. */
  readonly localLogin: boolean
  readonly relyingParty: RelyingParty | PasskeysOff
}

export type Ports = GrantPorts &
  SessionPorts &
  PasskeyPorts &
  SecondFactorPorts &
  MailProofPorts &
  PlannedChangePorts &
  UserInvitationPorts &
  TakenBackChangePorts &
  OtherPorts

type OtherPorts = {
  readonly settings: Settings
  readonly clock: Clock
  readonly afterwards: Afterwards
  readonly random: Random
  readonly hashing: Hashing
  readonly sealing: Sealing
  readonly clients: Clients
  readonly secrets: Secrets
  readonly scopes: Scopes
  readonly users: Users
  readonly userService: UserService
  readonly managedUsers: ManagedUsers
  readonly leavingUsers: LeavingUsers
  readonly administrators: Administrators
  /** The sign-in steps in their order; see `identity/sign-in-steps.ts`. */
  readonly signInSteps: readonly SignInStep<Ports>[]
  readonly signInFields: readonly SignInField[]
  readonly passwords: Passwords
  readonly rateLimiter: RateLimiter
  readonly usage: UsageMarks
  readonly signer: Signer
  readonly customGrants: readonly CustomGrant[]
  readonly tokenClaims: readonly TokenClaims[]
  /** The hooks with time limit and error handling: see `guardHooks`. */
  readonly hooks: Hooks
  readonly providers: IdentityProviders
  readonly policies: SitePolicies
  readonly upstream: Upstream
  readonly deviceNotices: DeviceNotices
  readonly outbox: Outbox
  readonly events: Events
  /** Absent if there are no traces. */
  readonly trace?: Trace | undefined
  /** Absent if metrics are off. */
  readonly countIssued?: IssuedTokenCounter | undefined
  /** How this server sends mail. */
  readonly mail: MailState
}
