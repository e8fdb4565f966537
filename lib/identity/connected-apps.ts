/** The apps with access to a user's account, and the removal of access: all of it, or single permissions. */
import type { Consent, Grant } from '#lib/ports/grants.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { Session, SessionClient } from '#lib/ports/sessions.ts'
import { type ClientId, clientIdSchema, type ScopeName, type SubjectId } from '#lib/protocol/ids.ts'
import type { Client } from '#lib/protocol/registration/client.ts'
import { isRequired, type Scope } from '#lib/protocol/registration/scope.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'
import { compareNames } from '#lib/protocol/text/name-order.ts'
import { latestOf } from '#lib/protocol/time.ts'
import { offlineScope } from '#lib/protocol/wire/scopes.ts'

/**
 * Revokes the access of an app: first the remembered consent, so that no new grant is based on it, then every grant of
 * this user for the app. A repetition only records the event again; an app that is not registered and has no grants is
 * `unknown_app`, without an event.
 */
export async function revokeApp(
  ports: Ports,
  input: { readonly session: Session; readonly clientId: string },
  context: RequestContext,
): Promise<'revoked' | 'unknown_app'> {
  const { subject } = input.session
  const parsed = clientIdSchema.safeParse(input.clientId)
  if (!parsed.success) return 'unknown_app'
  const clientId = parsed.data
  await ports.consents.remove(subject, clientId)
  const grants = await ports.grants.revoke({ subject, clientId }, ports.clock.now())
  if (grants === 0 && (await ports.clients.find(clientId)) === null) return 'unknown_app'
  ports.events.record(
    { name: 'consent_revoked', outcome: 'success', subject, clientId, details: { grants } },
    context,
  )
  return 'revoked'
}

type PermissionChoice = {
  readonly session: Session
  readonly clientId: string
  /** The permissions that the form showed. Others stay, such as those that were granted since. */
  readonly shown: readonly string[]
  /** The permissions that the app keeps. Required ones, and those that it does not have, do not matter. */
  readonly kept: readonly string[]
}

/**
 * Removes the optional permissions of an app that the user did not keep: first from the remembered consent, so that they are
 * not granted again without asking the user, then by revoking every grant that includes one of them. The whole grant is
 * revoked, because issued tokens cannot lose a single scope.
 */
export async function keepPermissions(
  ports: Ports,
  { session: { subject }, clientId, shown, kept }: PermissionChoice,
  context: RequestContext,
): Promise<'narrowed' | 'unchanged'> {
  const app = (await connectedApps(ports, subject)).find(connected => connected.clientId === clientId)
  const isUnwanted = (name: string) => shown.includes(name) && !kept.includes(name)
  const unwanted = app?.scopes.filter(({ name, isRemovable }) => isRemovable && isUnwanted(name)) ?? []
  if (app === undefined || unwanted.length === 0) return 'unchanged'
  const removed: Removed = { subject, clientId: app.clientId, scopes: unwanted.map(({ name }) => name) }
  await narrowConsent(ports, removed)
  const details = { scope: removed.scopes.join(' '), grants: await revokeGrantsWith(ports, removed) }
  ports.events.record(
    { name: 'consent_revoked', outcome: 'success', subject, clientId: app.clientId, details },
    context,
  )
  return 'narrowed'
}

type Removed = Pick<Consent, 'subject' | 'clientId' | 'scopes'>

/**
 * Removes scopes from the consent. The whole consent is removed if at most `offline_access` would be left, or if the
 * consent has changed since it was read, so that neither of two concurrent removals undoes the other.
 */
async function narrowConsent(ports: Ports, { subject, clientId, scopes }: Removed): Promise<void> {
  const now = ports.clock.now()
  const consent = await ports.consents.find(subject, clientId, now)
  if (consent === null) return
  const kept = consent.scopes.filter(scope => !scopes.includes(scope))
  const isUseful = kept.some(scope => scope !== offlineScope)
  if (isUseful && (await ports.consents.narrow(consent, kept, now))) return
  await ports.consents.remove(subject, clientId)
}

async function revokeGrantsWith(ports: Ports, { subject, clientId, scopes }: Removed): Promise<number> {
  const now = ports.clock.now()
  const grants = (await ports.grants.liveOf(subject, now)).filter(
    grant => grant.clientId === clientId && grant.scopes.some(scope => scopes.includes(scope)),
  )
  for (const { id } of grants) await ports.grants.revoke({ id }, now)
  return grants.length
}

export type ConnectedScope = Pick<Scope, 'name' | 'displayName' | 'description' | 'localized'> & {
  /**
   * Whether the user can remove the permission: it is optional, and the app cannot get it again without asking for
   * consent.
   */
  readonly isRemovable: boolean
}

export type ConnectedApp = {
  readonly clientId: ClientId
  readonly clientName: string
  readonly clientUri: string | null
  readonly logoUri: string | null
  readonly scopes: readonly ConnectedScope[]
  /** The earliest time of the active grants and consents, and of the sign-ins to the app in current sessions. */
  readonly since: Date
  /** The latest sign-in or refresh; `null`: only a remembered consent is left. */
  readonly lastUsedAt: Date | null
  /** Whether the app has access while the user is not signed in. */
  readonly isOffline: boolean
}

type Permission = Pick<Consent, 'clientId' | 'scopes' | 'createdAt'> &
  Pick<ConnectedApp, 'isOffline' | 'lastUsedAt'>

/**
 * Returns one entry per app, sorted by name. Apps without access are left out: deleted ones, and those that only appear
 * in a session and must ask for consent.
 */
export async function connectedApps(ports: Ports, subject: SubjectId): Promise<readonly ConnectedApp[]> {
  const now = ports.clock.now()
  const [consents, grants, sessions] = await Promise.all([
    ports.consents.allOf(subject, now),
    ports.grants.liveOf(subject, now),
    ports.sessions.allOf(subject, now),
  ])
  const clients = await ports.sessions.clientsOf(sessions.flatMap(({ sessionId }) => sessionId ?? []))
  const permissions: readonly Permission[] = [
    ...clients.map(signedInTo),
    ...consents.map(consent => ({ ...consent, isOffline: false, lastUsedAt: null })),
    ...(await withLastUse(ports, grants)),
  ]
  const byClient = Map.groupBy(permissions, permission => permission.clientId)
  const describe = await scopeDescriber(ports)
  const apps = await Promise.all(
    [...byClient].map(([clientId, granted]) => connectedApp(ports, clientId, granted, describe)),
  )
  return apps
    .filter(app => app !== null)
    .toSorted((left, right) => compareNames(left.clientName, right.clientName))
}

/**
 * Returns the access of an app to which the user signed in during a session: unless the app must ask for consent, it
 * can get tokens without asking the user while the session lasts.
 */
function signedInTo({ clientId, lastAt }: SessionClient): Permission {
  return { clientId, scopes: [], createdAt: lastAt, lastUsedAt: lastAt, isOffline: false }
}

async function withLastUse(ports: Ports, grants: readonly Grant[]): Promise<readonly Permission[]> {
  const refreshed = await ports.refreshTokens.lastIssuedAt(grants.map(({ id }) => id))
  return grants.map(grant => ({ ...grant, lastUsedAt: refreshed.get(grant.id) ?? grant.createdAt }))
}

type DescribeScope = (name: ScopeName, client: Client) => ConnectedScope

async function scopeDescriber(ports: Ports): Promise<DescribeScope> {
  const registered = new Map((await ports.scopes.all()).map(({ scope }) => [scope.name, scope]))
  return (name, { requireConsent }) => {
    const scope = registered.get(name)
    const { displayName = null, description = null, localized = {}, required = false } = scope ?? {}
    const isRemovable = requireConsent && !isRequired({ name, required })
    return { name, displayName, description, localized, isRemovable }
  }
}

async function connectedApp(
  ports: Ports,
  clientId: ClientId,
  permissions: readonly Permission[],
  describe: DescribeScope,
): Promise<ConnectedApp | null> {
  const registered = await ports.clients.find(clientId)
  if (registered === null) return null
  const { client } = registered
  const isOnlySignedIn = permissions.every(({ scopes }) => scopes.length === 0)
  if (isOnlySignedIn && client.requireConsent) return null
  const { clientName, clientUri, logoUri } = client
  const names = new Set(permissions.flatMap(({ scopes }) => scopes))
  return {
    clientId,
    clientName,
    clientUri,
    logoUri,
    scopes: [...names].map(name => describe(name, client)),
    since: new Date(Math.min(...permissions.map(permission => permission.createdAt.getTime()))),
    lastUsedAt: latestOf(permissions.flatMap(({ lastUsedAt }) => lastUsedAt ?? [])),
    isOffline: permissions.some(permission => permission.isOffline),
  }
}
