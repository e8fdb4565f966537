/**
 * Browser sessions: created by a sign-in, read at every request that needs the user, and ended on the server, so that the
 * cookie becomes invalid.
 */
import { browserAccounts, lifetimeSeconds, storage } from '#lib/config/limits.ts'
import { accountCheck } from '#lib/core/sign-in/account-check.ts'
import type { AuthenticationFacts } from '#lib/ports/grants.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type {
  CurrentCredentials,
  FoundSession,
  Session,
  SessionConditions,
  SessionDetails,
} from '#lib/ports/sessions.ts'
import type { StoredUser } from '#lib/ports/users.ts'
import type { ClientId, Digest, SessionHandle, SubjectId } from '#lib/protocol/ids.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'
import { displayName } from '#lib/protocol/text/display-text.ts'
import { compareNames } from '#lib/protocol/text/name-order.ts'
import { secondsAfter } from '#lib/protocol/time.ts'
import { localProvider, type Way, wayOfProvider } from '#lib/protocol/vocabulary.ts'
import { findProvider, providerName } from './external-provider.ts'

type NewSession = {
  readonly facts: Omit<AuthenticationFacts, 'sessionId' | 'authenticatedAt'>
  readonly name: string
  readonly remember: boolean
  /** The time of the sign-in, as a provider or an earlier session reports it; `null`: the current time. */
  readonly authenticatedAt: Date | null
  /**
   * The browser's sessions before the sign-in, of all its accounts. The one of the same user ends, so that its cookie becomes
   * invalid.
   */
  readonly previous: readonly SessionHandle[]
  /** The digest of the password hash that the sign-in verified; see `Authentication`. */
  readonly provenHash: Digest | null
  /** The account as read after the password was verified; see `Authentication`. */
  readonly account?: StoredUser | undefined
  /** The credentials that the user must still have; absent: none. */
  readonly credentials?: CurrentCredentials
  readonly details: SessionDetails
}

/** A live session that is not the browser's current one. */
export type OtherSession = Pick<Session, 'isPersistent'> & { readonly handle: SessionHandle }

export type SignedIn = {
  readonly kind: 'signed_in'
  /** The new session's cookie. The previous session of the same user has ended. */
  readonly session: SessionHandle
  /** The sessions of the other accounts in this browser, in the order of their last use. */
  readonly others: readonly OtherSession[]
  /** The lifetime of the cookie; `null`: it ends with the browser. */
  readonly persistSeconds: number | null
  /** The way in which the user signed in; `null`: the sign-in page does not offer it. */
  readonly way: Way | null
  /**
   * The new value of the known-browser cookie, which lasts for `lifetimeSeconds.knownBrowser`; `null`: the cookie is
   * unchanged.
   */
  readonly knownBrowser: string | null
  /**
   * The user whose session began; absent if a factor was only added to one. `hadSession`: whether it replaced a session of
   * the user in this browser.
   */
  readonly begun?: { readonly subject: SubjectId; readonly hadSession: boolean }
  /** Whether the user is offered a passkey before the sign-in continues. */
  readonly offersPasskey?: boolean
  /** Whether an email address is offered next, as the user has none that is verified. */
  readonly offersEmail?: boolean
}

/**
 * Returns the session of the browser, or `null`, and extends its idle time. If the user is no longer active, the
 * session and its grants end immediately, except offline access.
 */
export async function currentSession(ports: Ports, handle: SessionHandle | null): Promise<Session | null> {
  return (await readCurrentSession(ports, handle))?.session ?? null
}

/** A session. `isActive`: the user service confirmed the user for this request. */
export type CurrentSession = FoundSession & { readonly isActive: true }

/** Reads the session like `currentSession`, with the account and, if a client is named, with the consent for it. */
export async function readCurrentSession(
  ports: Ports,
  handle: SessionHandle | null,
  clientId?: ClientId,
): Promise<CurrentSession | null> {
  const found = handle && (await readActiveSession(ports, handle, clientId))
  if (found !== null) markUse(ports, found.session)
  return found
}

/** Reads the session like `readCurrentSession`, but does not extend its idle time. */
export async function readActiveSession(
  ports: Ports,
  handle: SessionHandle,
  clientId?: ClientId,
): Promise<CurrentSession | null> {
  const now = ports.clock.now()
  const found = await ports.sessions.find(ports.hashing.digest(handle), now, clientId)
  if (found === null) return null
  const { session, account } = found
  if (await ports.userService.isActive(session.subject, account)) return { ...found, isActive: true }
  await ports.sessions.end(session, now, 'user_inactive')
  return null
}

/** Records the use of the session, from which its idle time begins again, if the last record is old enough. */
export function markUse({ clock, usage }: Pick<Ports, 'clock' | 'usage'>, session: Session): void {
  const now = clock.now()
  if (session.lastSeenAt <= secondsAfter(now, -storage.sessionTouchSeconds))
    usage.session(session.digest, now)
}

/**
 * Opens a session with a new handle and ends the previous one of the same user. Sessions of other users stay, except the ones
 * that were used least recently, if there are too many. Returns `null` if the account has changed since its
 * check, a credential was removed, or the identity provider is disabled (see `Sessions.create`).
 */
export async function openSession(
  ports: Ports,
  opening: NewSession,
  context: RequestContext,
): Promise<SignedIn | null> {
  const { subject } = opening.facts
  const { own: previous, others } = await readBrowserSessions(ports, opening.previous, subject)
  const handle = ports.random.handle('session')
  const now = ports.clock.now()
  const lifetime = opening.remember ? lifetimeSeconds.rememberedSession : lifetimeSeconds.session
  const session: Session = {
    ...opening.facts,
    digest: ports.hashing.digest(handle),
    // Apps know the session as `sid`. It is kept when the same user signs in again, so that a later sign-out also
    // revokes earlier grants
    sessionId: previous?.sessionId ?? ports.random.sessionId(),
    name: opening.name,
    isPersistent: opening.remember,
    authenticatedAt: opening.authenticatedAt ?? now,
    createdAt: now,
    lastSeenAt: now,
    expiresAt: secondsAfter(now, lifetime),
    userAgent: context.userAgent,
    address: context.address,
    details: opening.details,
  }
  const account = opening.account ?? accountCheck(ports.hashing, opening.provenHash)
  const conditions = { ...opening.credentials, account }
  if (!(await storeSession(ports, session, { previous, conditions }))) return null
  ports.usage.user(session.subject, now)
  for (const { session: last } of others.slice(browserAccounts.others))
    await ports.sessions.end(last, now, 'too_many_accounts')
  return {
    kind: 'signed_in',
    session: handle,
    others: others.slice(0, browserAccounts.others).map(asOther),
    persistSeconds: opening.remember ? lifetime : null,
    way: wayOf(session),
    knownBrowser: null,
    begun: { subject, hadSession: previous !== null },
  }
}

/** Returns the way of the first factor. */
export function wayOf({ idp, details }: Pick<Session, 'idp' | 'details'>): Way | null {
  if (idp !== localProvider) return wayOfProvider(idp)
  const kind = details.factors?.[0]?.kind
  return kind === 'password' || kind === 'passkey' ? kind : null
}

/** Returns the browser's session of this user, and its sessions of other users in the order of their last use. */
export async function readBrowserSessions(
  ports: Pick<Ports, 'sessions' | 'hashing' | 'clock'>,
  handles: readonly SessionHandle[],
  subject: SubjectId,
) {
  const now = ports.clock.now()
  const found = await Promise.all(
    handles.map(async handle => {
      const read = await ports.sessions.find(ports.hashing.digest(handle), now)
      return read === null ? [] : [{ handle, session: read.session }]
    }),
  )
  const isOwn = ({ session }: { readonly session: Session }) => session.subject === subject
  const live = found.flat()
  return {
    own: live.find(isOwn)?.session ?? null,
    others: live.filter(each => !isOwn(each)).toSorted(byUse),
  }
}

/** Selects what the cookie of the other sessions needs. */
export function asOther(account: {
  readonly handle: SessionHandle
  readonly session: Session
}): OtherSession {
  return { handle: account.handle, isPersistent: account.session.isPersistent }
}

function byUse(left: { readonly session: Session }, right: { readonly session: Session }): number {
  return right.session.lastSeenAt.getTime() - left.session.lastSeenAt.getTime()
}

type Storing = { readonly previous: Session | null; readonly conditions: SessionConditions }

/** Stores the session. Returns false if a condition is not met, or the provider is disabled. */
async function storeSession(
  { sessions, random }: Ports,
  session: Session,
  { previous, conditions }: Storing,
): Promise<boolean> {
  if (previous === null) return sessions.create(session, conditions)
  const replacement = await sessions.replace(previous.digest, session, conditions)
  if (replacement !== 'already_ended') return replacement === 'created'
  // One of two concurrent sign-ins (a form sent twice) ended the session, so the other one cannot keep its `sid`
  return sessions.create({ ...session, sessionId: random.sessionId() }, conditions)
}

export type SignOutView = {
  /** The names of the apps that lose access with the session. */
  readonly apps: readonly string[]
  /**
   * The display name of the provider with which the user signed in, and may still be signed in; `null`: the user signed
   * in without a provider, or the provider is disabled or deleted.
   */
  readonly provider: string | null
  /** Whether the user is also signed out at the provider. */
  readonly endsAtProvider: boolean
}

/** Returns the data for the page that asks before a sign-out. */
export async function signOutView(ports: Ports, { subject, sessionId, idp }: Session): Promise<SignOutView> {
  const clients = await Promise.all(
    (await endingClients(ports, { subject, sessionId })).map(ports.clients.find),
  )
  const provider = await findProvider(ports, idp)
  const apps = clients.flatMap(found =>
    found === null ? [] : [displayName(found.client.clientName, found.client.clientId)],
  )
  return {
    apps: apps.toSorted(compareNames),
    provider: await providerName(ports, idp),
    endsAtProvider: provider?.enabled === true && provider.signOutAtProvider,
  }
}

/** Returns the clients that the session signed in, except those that have only offline access. */
async function endingClients(
  ports: Ports,
  { subject, sessionId }: Pick<Session, 'subject' | 'sessionId'>,
): Promise<readonly ClientId[]> {
  if (sessionId === null) return []
  const [clients, grants] = await Promise.all([
    ports.sessions.clientsOf([sessionId]),
    ports.grants.liveOf(subject, ports.clock.now()),
  ])
  return clients
    .map(({ clientId }) => clientId)
    .filter(clientId => {
      const theirs = grants.filter(grant => grant.sessionId === sessionId && grant.clientId === clientId)
      return theirs.length === 0 || theirs.some(grant => !grant.isOffline)
    })
}
