/** What users can see and revoke: the apps with access, and their sessions. */
import type { EventLog, StoredEvent } from '#lib/ports/events.ts'
import type { Grant } from '#lib/ports/grants.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { Session } from '#lib/ports/sessions.ts'
import { type ClientId, clientIdSchema, type ScopeName, type SubjectId } from '#lib/protocol/ids.ts'
import type { Scope } from '#lib/protocol/registration/scope.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'
import { localProvider } from '#lib/protocol/vocabulary.ts'
import { endSession } from './session.ts'

export type OwnSession = Pick<
  Session,
  'sessionId' | 'isPersistent' | 'createdAt' | 'lastSeenAt' | 'userAgent' | 'address'
> & { readonly isCurrent: boolean }

export type AccountView = {
  readonly name: string
  readonly idp: string
  /** By name of the app. */
  readonly apps: readonly ConnectedApp[]
  /** This browser first, then the latest used. */
  readonly sessions: readonly OwnSession[]
}

export async function accountView(ports: Ports, session: Session): Promise<AccountView> {
  const [apps, sessions] = await Promise.all([
    connectedApps(ports, session.subject),
    ports.sessions.allOf(session.subject, ports.clock.now()),
  ])
  return {
    name: session.name,
    idp: session.idp,
    apps,
    sessions: sessions
      .map(other => ({ ...other, isCurrent: other.digest === session.digest }))
      .toSorted(byUse),
  }
}

export type AccountNames = { readonly username: string | null; readonly email: string | null }

/** Distinguishes accounts with the same name. The user name is `null` for users of a provider, who do not type one. */
export async function accountNames(ports: Ports, { idp, subject }: Session): Promise<AccountNames> {
  const user = await ports.users.findBySubject(subject)
  const email = user?.claims.email
  return {
    username: idp === localProvider ? (user?.username ?? null) : null,
    email: typeof email === 'string' ? email : null,
  }
}

/** The name that the user types to sign in; `null` for users of a provider or of another user service. */
export async function usernameOf(ports: Ports, { idp, subject }: Session): Promise<string | null> {
  if (idp !== localProvider) return null
  return (await ports.users.findBySubject(subject))?.username ?? null
}

export type AccountActivity = Pick<StoredEvent, 'id' | 'time' | 'address' | 'userAgent'> & {
  readonly kind: 'signedIn' | 'passwordChanged'
}

const longestActivity = 5

/** The account's latest sign-ins and password changes, newest first, as far as events are kept. */
export async function accountActivity(
  eventLog: EventLog,
  { subject }: Pick<Session, 'subject'>,
): Promise<readonly AccountActivity[]> {
  const newest = async (name: StoredEvent['name'], kind: AccountActivity['kind']) => {
    const events = await eventLog.list({ subject, name, outcome: 'success' }, null, longestActivity)
    return events.map(({ id, time, address, userAgent }) => ({ id, time, address, userAgent, kind }))
  }
  const found = await Promise.all([
    newest('sign_in_succeeded', 'signedIn'),
    newest('password_changed', 'passwordChanged'),
  ])
  return found
    .flat()
    .toSorted((left, right) => right.time.getTime() - left.time.getTime())
    .slice(0, longestActivity)
}

function byUse(left: OwnSession, right: OwnSession): number {
  return (
    Number(right.isCurrent) - Number(left.isCurrent) || right.lastSeenAt.getTime() - left.lastSeenAt.getTime()
  )
}

/**
 * Revokes the access of an app: first the remembered consent, so that nothing more is granted silently, then every
 * token of the app for this user. Repeating it, or naming an unknown app, changes nothing.
 */
export async function revokeApp(
  ports: Ports,
  { session, clientId }: { readonly session: Session; readonly clientId: string },
  context: RequestContext,
): Promise<'revoked' | 'unknown_app'> {
  const parsed = clientIdSchema.safeParse(clientId)
  if (!parsed.success) return 'unknown_app'
  const ended = await removeAccess(ports, session, parsed.data)
  ports.events.record(
    {
      name: 'consent_revoked',
      outcome: 'success',
      subject: session.subject,
      clientId: parsed.data,
      details: { grants: ended },
    },
    context,
  )
  return 'revoked'
}

async function removeAccess(ports: Ports, { subject }: Session, clientId: ClientId): Promise<number> {
  await ports.consents.remove(subject, clientId)
  return ports.grants.revoke({ subject, clientId }, ports.clock.now())
}

/** Ends another session of the same user, by its `sid`. The current one is ended by signing out. */
export async function endOtherSession(
  ports: Ports,
  { session, sessionId }: { readonly session: Session; readonly sessionId: string },
  context: RequestContext,
): Promise<'ended' | 'unknown_session'> {
  const ended = await endOthers(ports, session, other => other.sessionId === sessionId, context)
  return ended > 0 ? 'ended' : 'unknown_session'
}

/** Ends all sessions of the user but the current one. Returns their number. */
export async function endAllOtherSessions(
  ports: Ports,
  { session }: { readonly session: Session },
  context: RequestContext,
): Promise<number> {
  return endOthers(ports, session, () => true, context)
}

async function endOthers(
  ports: Ports,
  current: Session,
  isSelected: (other: Session) => boolean,
  context: RequestContext,
): Promise<number> {
  const all = await ports.sessions.allOf(current.subject, ports.clock.now())
  const others = all.filter(other => other.digest !== current.digest && isSelected(other))
  for (const other of others) await endSession(ports, other)
  if (others.length > 0) {
    const details = { sessions: others.length }
    ports.events.record(
      { name: 'signed_out', outcome: 'success', subject: current.subject, details },
      context,
    )
  }
  return others.length
}

export type ConnectedScope = Pick<Scope, 'name' | 'displayName' | 'description' | 'localized'>

export type ConnectedApp = {
  readonly clientId: ClientId
  readonly clientName: string
  readonly clientUri: string | null
  readonly logoUri: string | null
  readonly scopes: readonly ConnectedScope[]
  /** The time of the first active grant or consent. */
  readonly since: Date
  /** The latest sign-in or refresh; `null`: only a remembered consent is left. */
  readonly lastUsedAt: Date | null
  /** Has access while the user is not signed in. */
  readonly isOffline: boolean
}

type Permission = {
  readonly clientId: ClientId
  readonly scopes: readonly ScopeName[]
  readonly createdAt: Date
  readonly isOffline: boolean
  readonly lastUsedAt: Date | null
}

/** One entry per app, by name. Deleted apps have no access and are left out. */
export async function connectedApps(ports: Ports, subject: SubjectId): Promise<readonly ConnectedApp[]> {
  const now = ports.clock.now()
  const [consents, grants] = await Promise.all([
    ports.consents.allOf(subject, now),
    ports.grants.liveOf(subject, now),
  ])
  const permissions: readonly Permission[] = [
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
    .toSorted((left, right) => left.clientName.localeCompare(right.clientName))
}

async function withLastUse(ports: Ports, grants: readonly Grant[]): Promise<readonly Permission[]> {
  const refreshed = await ports.refreshTokens.lastIssuedAt(grants.map(({ id }) => id))
  return grants.map(grant => ({ ...grant, lastUsedAt: refreshed.get(grant.id) ?? grant.createdAt }))
}

async function scopeDescriber(ports: Ports): Promise<(name: ScopeName) => ConnectedScope> {
  const registered = new Map((await ports.scopes.all()).map(({ scope }) => [scope.name, scope]))
  return name => {
    const scope = registered.get(name)
    const { displayName = null, description = null, localized = {} } = scope ?? {}
    return { name, displayName, description, localized }
  }
}

async function connectedApp(
  ports: Ports,
  clientId: ClientId,
  permissions: readonly Permission[],
  describe: (name: ScopeName) => ConnectedScope,
): Promise<ConnectedApp | null> {
  const registered = await ports.clients.find(clientId)
  if (registered === null) return null
  const { clientName, clientUri, logoUri } = registered.client
  return {
    clientId,
    clientName,
    clientUri,
    logoUri,
    scopes: [...new Set(permissions.flatMap(permission => permission.scopes))].map(describe),
    since: new Date(Math.min(...permissions.map(permission => permission.createdAt.getTime()))),
    lastUsedAt: latestOf(permissions.flatMap(({ lastUsedAt }) => lastUsedAt ?? [])),
    isOffline: permissions.some(permission => permission.isOffline),
  }
}

function latestOf(dates: readonly Date[]): Date | null {
  return dates.length === 0 ? null : new Date(Math.max(...dates.map(date => date.getTime())))
}
