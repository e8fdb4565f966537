/** Who is at the dashboard right now. Asked anew by every page and every action. */
import type { AdminSession } from '#lib/ports/administration.ts'
import type { AdminSessionHandle } from '#lib/protocol/ids.ts'
import type { AdminPorts } from '../admin-ports.ts'
import type { Actor } from '../use-case.ts'

export type AdminVisit = { readonly actor: Actor; readonly session: AdminSession }

/** `null`: nobody, no longer, or somebody who administers nothing any more or may not even sign in (AD-09). */
export async function currentVisit(
  ports: AdminPorts,
  handle: AdminSessionHandle | null,
): Promise<AdminVisit | null> {
  const visit = await unattendedVisit(ports, handle)
  if (visit !== null) await ports.adminSessions.touch(visit.session.digest, ports.clock.now())
  return visit
}

/** The same for what a page asks by itself: a screen that nobody looks at keeps no visit alive. */
export async function unattendedVisit(
  ports: AdminPorts,
  handle: AdminSessionHandle | null,
): Promise<AdminVisit | null> {
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

/** Ends the visit; of nobody there is nothing to end. */
export async function leave(ports: AdminPorts, handle: AdminSessionHandle | null): Promise<void> {
  if (handle !== null) await ports.adminSessions.end(ports.hashing.digest(handle))
}
