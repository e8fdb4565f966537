/** What the consent page shows. */
import type { Consent } from '#lib/ports/grants.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { Session } from '#lib/ports/sessions.ts'
import type { BrowserHandle, PendingHandle, ScopeName, SessionId } from '#lib/protocol/ids.ts'
import type { Client } from '#lib/protocol/registration/client.ts'
import type { Scope } from '#lib/protocol/registration/scope.ts'
import type { ScopeKind } from '#lib/protocol/vocabulary.ts'
import { offlineScope } from '#lib/protocol/wire/scopes.ts'
import { findPending } from '../authorize/pending.ts'
import { canBeRemembered, isProvable, isRequired } from './consent-rule.ts'

export type ConsentView = {
  readonly client: Client
  readonly subjectName: string
  /** For the form, which must come back in the session it was shown in. */
  readonly sessionId: SessionId
  /** Where the person will be sent: a host, or the scheme of an app on their device. */
  readonly returnHost: string
  readonly identityScopes: readonly ConsentScope[]
  readonly resourceScopes: readonly ConsentScope[]
  readonly offline: ConsentScope | null
  readonly allowRemember: boolean
  /** The answer goes to this very device: what listens there is an app on it. */
  readonly isLocal: boolean
  /** See `isProvable`; `false` deserves a warning. */
  readonly isVerifiable: boolean
  /** How long remembered consent is valid; `null`: until removed. */
  readonly consentLifetimeSeconds: number | null
}

export type ConsentScope = {
  readonly name: ScopeName
  readonly displayName: string | null
  readonly description: string | null
  readonly localized: Scope['localized']
  /** Cannot be left out. */
  readonly required: boolean
  readonly emphasize: boolean
  /** Not among what the person allowed this app before. */
  readonly isNew: boolean
}

export type ConsentInput = {
  readonly pending: PendingHandle | null
  readonly browser: BrowserHandle | null
  readonly session: Session | null
}

/** `null` when the request is no longer pending, or no user is signed in. */
export async function consentView(
  ports: Ports,
  { pending, browser, session }: ConsentInput,
): Promise<ConsentView | null> {
  const interaction = await findPending(ports, pending, browser)
  if (interaction === null || session === null) return null
  const { client, request, address } = interaction
  const remembered = await ports.consents.find(session.subject, client.clientId, ports.clock.now())
  const registered = (await ports.scopes.all()).map(({ scope }) => scope)
  const describe = (kind: ScopeKind) => describeScopes(request.scopes, registered, { kind, remembered })
  return {
    client,
    subjectName: session.name,
    sessionId: session.sessionId,
    ...describeReturn(address.redirectUri),
    isVerifiable: isProvable(client, address.redirectUri),
    identityScopes: describe('identity'),
    resourceScopes: describe('resource'),
    offline: request.scopes.includes(offlineScope) ? describeOffline(registered, remembered) : null,
    allowRemember: canBeRemembered(client, address.redirectUri),
    consentLifetimeSeconds: client.consentLifetimeSeconds,
  }
}

/** Plain http is registered for loopback addresses only. */
function describeReturn(redirectUri: string): Pick<ConsentView, 'returnHost' | 'isLocal'> {
  const { protocol, host } = new URL(redirectUri)
  return { returnHost: host === '' ? protocol.slice(0, -1) : host, isLocal: protocol === 'http:' }
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

/** Shown under a separate heading, so it has no emphasis unless registered with it. */
const unregisteredOffline: Scope = {
  name: offlineScope,
  kind: 'resource',
  enabled: true,
  displayName: null,
  description: null,
  localized: {},
  required: false,
  emphasize: false,
  claims: [],
  showInDiscovery: true,
  audience: null,
}
