/** The end of a session, decided on the server: the cookie alone opens nothing afterwards. */
import type { Ports } from '#lib/ports/ports.ts'
import type { Session } from '#lib/ports/sessions.ts'
import type { SessionHandle } from '#lib/protocol/ids.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'

/** Ends the browser's session and revokes what was granted in it, except offline access. Without one: nothing. */
export async function signOut(
  ports: Ports,
  { session: handle }: { readonly session: SessionHandle | null },
  context: RequestContext,
): Promise<void> {
  if (handle === null) return
  const digest = ports.hashing.digest(handle)
  const session = await ports.sessions.find(digest, ports.clock.now())
  if (session === null) return
  await endSession(ports, session)
  ports.events.record({ name: 'signed_out', outcome: 'success', subject: session.subject }, context)
}

/** Session first: from then on nothing new can be granted in it, and then everything that was is revoked. */
export async function endSession(ports: Ports, session: Session): Promise<void> {
  await ports.sessions.end(session.digest)
  await ports.grants.revoke({ sessionId: session.sessionId }, ports.clock.now())
}
