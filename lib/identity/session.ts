/** Browser sessions: created by a sign-in, looked up at every request, ended only by the server. */
import { lifetimeSeconds } from '#lib/config/limits.ts'
import { stillProven } from '#lib/ports/account-proof.ts'
import type { AuthenticationFacts } from '#lib/ports/grants.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { Session } from '#lib/ports/sessions.ts'
import type { Digest, SessionHandle, SessionId } from '#lib/protocol/ids.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'
import { secondsAfter } from '#lib/protocol/time.ts'
import { endSession } from './sign-out.ts'

const userAgentCharacters = 256

type NewSession = {
  readonly facts: Omit<AuthenticationFacts, 'sessionId' | 'authenticatedAt'>
  readonly name: string
  readonly remember: boolean
  /** When a provider says the person signed in; `null`: now. */
  readonly authenticatedAt: Date | null
  /** What the browser carried before: ended, so that no identifier from before a sign-in survives it. */
  readonly previous: SessionHandle | null
  /** What the sign-in proved; see `Authentication`. */
  readonly provenHash: Digest | null
}

export type OpenedSession = { readonly handle: SessionHandle; readonly persistSeconds: number | null }

/**
 * The session of the browser, or `null`. Extends its idle time. A user who is no longer active loses the session and its
 * grants immediately.
 */
export async function currentSession(ports: Ports, handle: SessionHandle | null): Promise<Session | null> {
  if (handle === null) return null
  const now = ports.clock.now()
  const session = await ports.sessions.find(ports.hashing.digest(handle), now)
  if (session === null) return null
  if (!(await ports.userService.isActive(session.subject))) {
    await endSession(ports, session)
    return null
  }
  await ports.sessions.touch(session.digest, now)
  return session
}

/**
 * Opens a session under a new handle and ends the one before. `null` when the account was locked, or its password
 * replaced, while the person signed in.
 */
export async function openSession(
  ports: Ports,
  opening: NewSession,
  context: RequestContext,
): Promise<OpenedSession | null> {
  const sessionId = await replacePrevious(ports, opening)
  const handle = ports.random.handle('session')
  const now = ports.clock.now()
  const lifetime = opening.remember ? lifetimeSeconds.rememberedSession : lifetimeSeconds.session
  const session: Session = {
    ...opening.facts,
    digest: ports.hashing.digest(handle),
    sessionId,
    name: opening.name,
    isPersistent: opening.remember,
    authenticatedAt: opening.authenticatedAt ?? now,
    createdAt: now,
    lastSeenAt: now,
    expiresAt: secondsAfter(now, lifetime),
    userAgent: context.userAgent?.slice(0, userAgentCharacters) ?? null,
    address: context.address,
  }
  const isOpen = await ports.sessions.create(session, stillProven(ports.hashing, opening.provenHash))
  return isOpen ? { handle, persistSeconds: opening.remember ? lifetime : null } : null
}

/**
 * When the same user signs in again, the `sid` that apps know is kept, so that a later sign-out also revokes earlier
 * grants. The session of a different user is signed out.
 */
async function replacePrevious(ports: Ports, opening: NewSession): Promise<SessionId> {
  if (opening.previous === null) return ports.random.sessionId()
  const digest = ports.hashing.digest(opening.previous)
  const previous = await ports.sessions.find(digest, ports.clock.now())
  if (previous === null) return ports.random.sessionId()
  if (previous.subject !== opening.facts.subject) {
    await endSession(ports, previous)
    return ports.random.sessionId()
  }
  // Of two concurrent sign-ins (a form sent twice) only the one that ended the session inherits its `sid`.
  return (await ports.sessions.end(digest)) ? previous.sessionId : ports.random.sessionId()
}
