/** The consent page: its content, and the recording of the user's answer. */
import type { Consent } from '#lib/ports/grants.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { Session } from '#lib/ports/sessions.ts'
import { traced } from '#lib/ports/tracing.ts'
import type { ScopeName, SessionId } from '#lib/protocol/ids.ts'
import type { Client } from '#lib/protocol/registration/client.ts'
import { isRequired, type Scope, scopeFromMetadata } from '#lib/protocol/registration/scope.ts'
import { flowOf, type RequestContext } from '#lib/protocol/request-context.ts'
import { webHost } from '#lib/protocol/text/addresses.ts'
import { secondsAfter } from '#lib/protocol/time.ts'
import type { ScopeKind } from '#lib/protocol/vocabulary.ts'
import { offlineScope } from '#lib/protocol/wire/scopes.ts'
import { rememberedConsent, type SignedInUser } from '../authorize/authorize.ts'
import type { PendingInteraction } from '../authorize/pending.ts'
import { canBeRemembered, canProveIdentity } from '../authorize/remember-consent.ts'
import { registeredScopes } from '../scopes/resolve-scopes.ts'

export type ConsentView = {
  readonly client: Client
  readonly subjectName: string
  /** The session of the form, which must be posted in the same session. */
  readonly sessionId: SessionId
  /** The target of the redirect: a host, or the scheme of an app on the device. */
  readonly returnHost: string
  readonly identityScopes: readonly ConsentScope[]
  readonly resourceScopes: readonly ConsentScope[]
  readonly offline: ConsentScope | null
  readonly allowRemember: boolean
  /** Whether the redirect URI is plain http: an app on this device receives the response at a loopback address. */
  readonly isLocal: boolean
  /**
   * Whether the client can prove its identity (see the function `canProveIdentity`). If not, the page warns the user.
   */
  readonly canProveIdentity: boolean
  /** The lifetime of remembered consent; `null`: it lasts until it is removed. */
  readonly consentLifetimeSeconds: number | null
}

export type ConsentScope = {
  readonly name: ScopeName
  readonly displayName: string | null
  readonly description: string | null
  readonly localized: Scope['localized']
  /** Whether the user cannot deselect the scope. */
  readonly required: boolean
  readonly emphasize: boolean
  /** Whether the user has a stored consent for this app that does not contain this scope. */
  readonly isNew: boolean
}

/** The input of the consent page. `interaction: null`: the request is no longer pending. */
export type ConsentInput = SignedInUser & { readonly interaction: PendingInteraction | null }

/** Returns the content of the page; `null` when the request is no longer pending, or no user is signed in. */
export async function consentView(
  ports: Ports,
  { interaction, session, consent }: ConsentInput,
): Promise<ConsentView | null> {
  if (interaction === null || session === null) return null
  const { client, request, target } = interaction
  const remembered = await rememberedConsent(ports, { session, consent }, client)
  const registered = await registeredScopes(ports)
  const describe = (kind: ScopeKind) =>
    describeScopes(request.details.scopes, registered, { kind, remembered })
  return {
    client,
    subjectName: session.name,
    sessionId: session.sessionId,
    ...describeReturn(target.redirectUri),
    canProveIdentity: canProveIdentity(client, target.redirectUri),
    identityScopes: describe('identity'),
    resourceScopes: describe('resource'),
    offline: request.details.scopes.includes(offlineScope) ? describeOffline(registered, remembered) : null,
    allowRemember: canBeRemembered(client, target.redirectUri),
    consentLifetimeSeconds: client.consentLifetimeSeconds,
  }
}

/** Describes the target of the redirect. Plain http is registered for loopback addresses only. */
function describeReturn(redirectUri: string): Pick<ConsentView, 'returnHost' | 'isLocal'> {
  const { protocol } = new URL(redirectUri)
  return { returnHost: webHost(redirectUri) ?? protocol.slice(0, -1), isLocal: protocol === 'http:' }
}

function describeScopes(
  asked: readonly ScopeName[],
  registered: readonly Scope[],
  { kind, remembered }: { readonly kind: ScopeKind; readonly remembered: Consent | null },
): readonly ConsentScope[] {
  return registered
    .filter(scope => scope.kind === kind && scope.name !== offlineScope && asked.includes(scope.name))
    .map(scope => describeScope(scope, remembered))
}

function describeScope(scope: Scope, remembered: Consent | null): ConsentScope {
  const { name, displayName, description, localized, emphasize } = scope
  const isNew = remembered !== null && !remembered.scopes.includes(name)
  return { name, displayName, description, localized, required: isRequired(scope), emphasize, isNew }
}

function describeOffline(registered: readonly Scope[], remembered: Consent | null): ConsentScope {
  const scope = registered.find(({ name }) => name === offlineScope) ?? unregisteredOffline
  return describeScope(scope, remembered)
}

/** The `offline_access` scope if it is not registered. */
const unregisteredOffline: Scope = scopeFromMetadata({ name: offlineScope, kind: 'resource' })

export type ConsentAnswerInput = ConsentInput & {
  /** The session of the user that the form showed, as posted. */
  readonly shownSessionId: string | null
  readonly decision: 'allow' | 'deny'
  /** The selected scopes, as posted. */
  readonly scopes: readonly string[]
  readonly remember: boolean
}

/** `shown_to_another`: the form is not of this session, perhaps of another user, so the page must be shown again. */
export type ConsentResult = 'recorded' | 'nothing_selected' | 'shown_to_another' | 'signed_out' | 'expired'

/**
 * Records the answer. `recorded`: continue at `resume`, which checks the request again. `signed_out`: no user is signed in, and
 * nothing was recorded. Allowing grants the selected and the required ones of the requested scopes.
 */
export function answerConsent(
  ports: Ports,
  input: ConsentAnswerInput,
  context: RequestContext,
): Promise<ConsentResult> {
  return traced(ports, 'consent', recordAnswer)(ports, input, context)
}

async function recordAnswer(
  ports: Ports,
  input: ConsentAnswerInput,
  context: RequestContext,
): Promise<ConsentResult> {
  const { interaction, session, consent } = input
  if (interaction === null) return 'expired'
  if (session === null) return 'signed_out'
  if (input.shownSessionId !== session.sessionId) return 'shown_to_another'
  const answered = { interaction, session, consent }
  if (input.decision === 'deny') return deny(ports, answered, context)
  const scopes = await grantedScopes(ports, interaction.request.details.scopes, input.scopes)
  if (scopes.every(scope => scope === offlineScope)) return 'nothing_selected'
  return allow(ports, { ...answered, scopes, remember: input.remember }, context)
}

type Answered = {
  readonly interaction: PendingInteraction
  readonly session: Session
  readonly consent: SignedInUser['consent']
}

async function deny(
  ports: Ports,
  { interaction, session }: Answered,
  context: RequestContext,
): Promise<'recorded'> {
  const { digest } = interaction.opened
  const { subject, sessionId } = session
  const answer = { sessionId, decision: 'deny', scopes: [], remember: false } as const
  await ports.pendingRequests.recordConsent(digest, answer)
  const { clientId } = interaction.client
  const flow = flowOf(digest)
  ports.events.record({ name: 'consent_denied', outcome: 'success', clientId, subject, flow }, context)
  return 'recorded'
}

async function grantedScopes(
  ports: Ports,
  asked: readonly ScopeName[],
  ticked: readonly string[],
): Promise<readonly ScopeName[]> {
  const registered = await registeredScopes(ports)
  const required = registered.filter(isRequired).map(scope => scope.name)
  return asked.filter(scope => ticked.includes(scope) || required.includes(scope))
}

type Allowed = Answered & { readonly scopes: readonly ScopeName[]; readonly remember: boolean }

async function allow(ports: Ports, allowed: Allowed, context: RequestContext): Promise<'recorded'> {
  const { interaction, session, scopes, remember } = allowed
  const { digest } = interaction.opened
  const { subject, sessionId } = session
  const answer = { sessionId, decision: 'allow', scopes, remember } as const
  // NOTE: in parallel, so that both are sent to the database in one message
  await Promise.all([
    ports.pendingRequests.recordConsent(digest, answer),
    interaction.client.allowRememberConsent ? rememberOrForget(ports, allowed) : null,
  ])
  const details = { scope: scopes.join(' '), remember }
  const { clientId } = interaction.client
  const flow = flowOf(digest)
  ports.events.record(
    { name: 'consent_granted', outcome: 'success', clientId, subject, flow, details },
    context,
  )
  return 'recorded'
}

async function rememberOrForget(
  ports: Ports,
  { interaction, session, consent, scopes, remember }: Allowed,
): Promise<void> {
  const { client, request, target } = interaction
  const { subject } = session
  if (!remember) return ports.consents.remove(subject, client.clientId)
  if (!canBeRemembered(client, target.redirectUri)) return
  const now = ports.clock.now()
  const earlier = await rememberedConsent(ports, { session, consent }, client)
  // Stored scopes outside of this request are unchanged; the answer replaces the others
  const untouched = (earlier?.scopes ?? []).filter(scope => !request.details.scopes.includes(scope))
  const fresh =
    client.consentLifetimeSeconds === null ? null : secondsAfter(now, client.consentLifetimeSeconds)
  await ports.consents.store({
    subject,
    clientId: client.clientId,
    scopes: [...untouched, ...scopes],
    createdAt: earlier?.createdAt ?? now,
    updatedAt: now,
    expiresAt: untouched.length === 0 ? fresh : sooner(fresh, earlier?.expiresAt ?? null),
  })
}

/**
 * Returns the earlier of two expiry times. CN-02: consent to one scope does not extend that of another; all scopes
 * expire together, with the first.
 */
function sooner(left: Date | null, right: Date | null): Date | null {
  if (left === null || right === null) return left ?? right
  return left < right ? left : right
}
