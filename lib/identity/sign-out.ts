/** Ends a session on the server: its cookie is invalid afterwards. */
import type { Ports } from '#lib/ports/ports.ts'
import type { Session } from '#lib/ports/sessions.ts'
import type { SessionHandle } from '#lib/protocol/ids.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'
import { displayName } from '#lib/protocol/text/display-text.ts'

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

export type SignOutView = {
  /** Names of the apps that lose their access with the session. */
  readonly apps: readonly string[]
  /** The provider that the user signed in with, which may still have a session of its own. */
  readonly provider: string | null
}

/** What ends with a session, for the page that asks. Offline access stays. */
export async function signOutView(ports: Ports, { subject, sessionId, idp }: Session): Promise<SignOutView> {
  const grants = await ports.grants.liveOf(subject, ports.clock.now())
  const ending = grants.filter(grant => grant.sessionId === sessionId && !grant.isOffline)
  const clients = await Promise.all([...new Set(ending.map(grant => grant.clientId))].map(ports.clients.find))
  const apps = clients.flatMap(found =>
    found === null ? [] : [displayName(found.client.clientName, found.client.clientId)],
  )
  return {
    apps: apps.toSorted((left, right) => left.localeCompare(right)),
    provider: await providerName(ports, idp),
  }
}

/** `null` for our own store, and for a provider that is not enabled. */
export async function providerName(ports: Pick<Ports, 'providers'>, scheme: string): Promise<string | null> {
  const provider = (await ports.providers.all()).find(each => each.enabled && each.scheme === scheme)
  return provider === undefined ? null : displayName(provider.displayName, provider.scheme)
}
