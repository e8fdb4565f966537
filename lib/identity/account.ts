/** The data of the account page: names, apps, and the user's sessions, which the user can end. */
import type { Ports } from '#lib/ports/ports.ts'
import type { Session } from '#lib/ports/sessions.ts'
import { accountOf, type ReadAccount } from '#lib/ports/users.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'
import { localProvider } from '#lib/protocol/vocabulary.ts'
import { type ConnectedApp, connectedApps } from './connected-apps.ts'

export type OwnSession = Pick<Session, 'sessionId' | 'lastSeenAt' | 'userAgent' | 'address'> & {
  readonly isCurrent: boolean
}

export type AccountView = {
  readonly name: string
  /** The apps, sorted by name. */
  readonly apps: readonly ConnectedApp[]
  /** The sessions: the one of this browser first, then in the order of their last use. */
  readonly sessions: readonly OwnSession[]
}

export async function accountView(ports: Ports, session: Session): Promise<AccountView> {
  const [apps, sessions] = await Promise.all([
    connectedApps(ports, session.subject),
    ports.sessions.allOf(session.subject, ports.clock.now()),
  ])
  return {
    name: session.name,
    apps,
    sessions: sessions
      .map(other => ({ ...other, isCurrent: other.digest === session.digest }))
      .toSorted(byUse),
  }
}

export type AccountNames = { readonly username: string | null; readonly email: string | null }

/**
 * Returns the names that distinguish accounts with the same display name. The user name is `null` if the user signed in
 * with a provider or is not in the store of this server.
 */
export async function accountNames(
  ports: Ports,
  { idp, subject }: Pick<Session, 'idp' | 'subject'>,
  account?: ReadAccount,
): Promise<AccountNames> {
  const user = await accountOf(ports, subject, account)
  const email = user?.claims.email
  return {
    username: idp === localProvider ? (user?.username ?? null) : null,
    email: typeof email === 'string' ? email : null,
  }
}

/** Returns the name of the account for an authenticator app or a list of codes. */
export async function accountLabel(
  ports: Ports,
  user: Pick<Session, 'idp' | 'subject' | 'name'>,
): Promise<string> {
  const { username, email } = await accountNames(ports, user)
  return username ?? email ?? user.name
}

function byUse(left: OwnSession, right: OwnSession): number {
  return (
    Number(right.isCurrent) - Number(left.isCurrent) || right.lastSeenAt.getTime() - left.lastSeenAt.getTime()
  )
}

/**
 * Ends the other sessions of the same user with one of these IDs, or all others if `sessionIds` is `null`, and returns their
 * number. The current session is never ended here.
 */
export async function endOtherSessions(
  ports: Ports,
  {
    session: current,
    sessionIds,
  }: { readonly session: Session; readonly sessionIds: readonly string[] | null },
  context: RequestContext,
): Promise<number> {
  const { subject, digest } = current
  const now = ports.clock.now()
  const others = (await ports.sessions.allOf(subject, now)).filter(
    other => other.digest !== digest && (sessionIds === null || sessionIds.includes(other.sessionId)),
  )
  for (const other of others) await ports.sessions.end(other, now, 'ended_by_user')
  if (others.length > 0) {
    const details = { sessions: others.length }
    ports.events.record({ name: 'signed_out', outcome: 'success', subject, details }, context)
  }
  return others.length
}
