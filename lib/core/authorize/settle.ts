/** From a request to its answer, also when a sign-out or a withdrawn consent comes in between. */
import type { Ports } from '#lib/ports/ports.ts'
import type { Session } from '#lib/ports/sessions.ts'
import type { AuthorizeOutcome } from './outcome.ts'
import { type Asked, judge, type Verdict } from './verdict.ts'

export type Settled = { readonly verdict: Verdict; readonly outcome: AuthorizeOutcome }

/** Acts on a verdict. `withdrawn`: what it rested on ended before anything was written. */
export type Follow = (verdict: Verdict) => Promise<AuthorizeOutcome | 'withdrawn'>

/**
 * Judges and follows. What was withdrawn meanwhile is judged anew, with the session as it is now; should that end,
 * too, as if nobody were signed in, which grants nothing and so comes to an end.
 */
export async function settle(ports: Ports, asked: Asked, follow: Follow): Promise<Settled> {
  const settled = await attempt(ports, asked, follow)
  if (settled !== null) return settled
  const again = await attempt(ports, { ...asked, session: await sessionNow(ports, asked.session) }, follow)
  if (again !== null) return again
  const last = await attempt(ports, { ...asked, session: null }, follow)
  if (last === null) throw new Error('something was granted to nobody')
  return last
}

async function attempt(ports: Ports, asked: Asked, follow: Follow): Promise<Settled | null> {
  const verdict = await judge(ports, asked)
  const outcome = await follow(verdict)
  return outcome === 'withdrawn' ? null : { verdict, outcome }
}

async function sessionNow(ports: Ports, session: Session | null): Promise<Session | null> {
  return session && ports.sessions.find(session.digest, ports.clock.now())
}
