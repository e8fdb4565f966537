/** A sign-out or a removed consent may come between a decision and the grant that is written for it. */
import type { Ports } from '#lib/ports/ports.ts'
import type { Session } from '#lib/ports/sessions.ts'

/**
 * Runs `attempt` again when it returns `null` (what the decision rested on was revoked before anything was written):
 * with the session as it is now, and, should that be revoked as well, as if no one were signed in. That grants nothing
 * and so cannot be revoked.
 */
export async function withRetryOnRevocation<Answered>(
  ports: Pick<Ports, 'sessions' | 'clock'>,
  session: Session | null,
  attempt: (session: Session | null) => Promise<Answered | null>,
): Promise<Answered> {
  const first = await attempt(session)
  if (first !== null) return first
  const current = session && (await ports.sessions.find(session.digest, ports.clock.now()))
  const second = await attempt(current)
  if (second !== null) return second
  const last = await attempt(null)
  if (last === null) throw new Error('a grant without a session was revoked')
  return last
}
