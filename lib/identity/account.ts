/** What users can see and revoke: the apps with access, and their sessions. */
import type { Ports } from '#lib/ports/ports.ts'
import type { Session } from '#lib/ports/sessions.ts'
import { type ClientId, clientIdSchema, type SessionId } from '#lib/protocol/ids.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'
import { localProvider } from '#lib/protocol/vocabulary.ts'
import { type ConnectedApp, connectedApps } from './connected-apps.ts'
import { endSession } from './sign-out.ts'

export type OwnSession = {
  readonly sessionId: SessionId
  readonly isCurrent: boolean
  readonly isPersistent: boolean
  readonly createdAt: Date
  readonly lastSeenAt: Date
  readonly userAgent: string | null
  readonly address: string | null
}

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
    sessions: sessions.map(asOwn(session)).toSorted(byUse),
  }
}

export type AccountNames = { readonly username: string | null; readonly email: string | null }

/** What tells accounts of one name apart. The user name is `null` where users of a provider do not type one. */
export async function accountNames(ports: Ports, { idp, subject }: Session): Promise<AccountNames> {
  const user = await ports.users.findBySubject(subject)
  const email = user?.claims.email
  return {
    username: idp === localProvider ? (user?.username ?? null) : null,
    email: typeof email === 'string' ? email : null,
  }
}

/** What the user types to sign in here; `null` where another service or provider knows them. */
export async function usernameOf(ports: Ports, { idp, subject }: Session): Promise<string | null> {
  if (idp !== localProvider) return null
  return (await ports.users.findBySubject(subject))?.username ?? null
}

function asOwn(current: Session): (session: Session) => OwnSession {
  return session => ({
    sessionId: session.sessionId,
    isCurrent: session.digest === current.digest,
    isPersistent: session.isPersistent,
    createdAt: session.createdAt,
    lastSeenAt: session.lastSeenAt,
    userAgent: session.userAgent,
    address: session.address,
  })
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
  const ended = await shutOut(ports, session, parsed.data)
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

async function shutOut(ports: Ports, { subject }: Session, clientId: ClientId): Promise<number> {
  await ports.consents.remove(subject, clientId)
  return ports.grants.revoke({ subject, clientId }, ports.clock.now())
}

/** Ends one other session of the same person, by its `sid`. The current one is ended by signing out. */
export async function endOtherSession(
  ports: Ports,
  { session, sessionId }: { readonly session: Session; readonly sessionId: string },
  context: RequestContext,
): Promise<'ended' | 'unknown_session'> {
  const ended = await endOthers(ports, session, other => other.sessionId === sessionId, context)
  return ended > 0 ? 'ended' : 'unknown_session'
}

/** Signs the person out everywhere but here. Returns how many sessions that were. */
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
  isMeant: (other: Session) => boolean,
  context: RequestContext,
): Promise<number> {
  const all = await ports.sessions.allOf(current.subject, ports.clock.now())
  const others = all.filter(other => other.digest !== current.digest && isMeant(other))
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
