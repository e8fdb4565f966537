/** The session of the admin in the dashboard, checked again for every page and every action. */
import type { AdminSession } from '#lib/ports/administration.ts'
import type { AdminSessionHandle } from '#lib/protocol/ids.ts'
import type { AdminPorts } from '../admin-ports.ts'
import type { Actor } from '../use-case.ts'

export type SignedInAdmin = { readonly actor: Actor; readonly session: AdminSession }

/** `null` when there is no session, it ended, or its user is not an active administrator (AD-09). */
export async function currentAdminSession(
  ports: AdminPorts,
  handle: AdminSessionHandle | null,
): Promise<SignedInAdmin | null> {
  const visit = await peekAdminSession(ports, handle)
  if (visit !== null) await ports.adminSessions.touch(visit.session.digest, ports.clock.now())
  return visit
}

/** The same without extending the session: for requests that a page sends by itself, such as polling. */
export async function peekAdminSession(
  ports: AdminPorts,
  handle: AdminSessionHandle | null,
): Promise<SignedInAdmin | null> {
  if (handle === null) return null
  const digest = ports.hashing.digest(handle)
  const found = await ports.adminSessions.find(digest, ports.clock.now())
  if (found === null) return null
  if (!(await ports.userService.isActive(found.session.subject))) {
    await ports.adminSessions.end(digest)
    return null
  }
  const { subject, authenticatedAt } = found.session
  return { session: found.session, actor: { subject, role: found.role, authenticatedAt } }
}

/** Ends the session, if there is one. */
export async function endAdminSession(ports: AdminPorts, handle: AdminSessionHandle | null): Promise<void> {
  if (handle !== null) await ports.adminSessions.end(ports.hashing.digest(handle))
}
