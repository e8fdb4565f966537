import type { EndSessionOutcome } from '#lib/core/logout/end-session.ts'
import { endedSessionCookie } from './cookies.ts'
import { encodeForm } from './decode-form.ts'
import { type Reply, seeOther } from './reply.ts'

/** To the app that proved itself, or to our own pages: the question first, or what was done. */
export function respondEndSession(outcome: EndSessionOutcome, issuer: string): Reply {
  const query = encodeForm([['request', outcome.request]])
  if (outcome.kind === 'confirm') return seeOther(`/logout?${query}`)
  return seeOther(outcome.redirect ?? `/logout/done?${query}`, [endedSessionCookie(issuer)])
}
