import type { EndSessionOutcome } from '#lib/core/logout/end-session.ts'
import { endedSessionCookie } from './cookies.ts'
import { encodeForm } from './decode-form.ts'
import { type Reply, seeOther } from './reply.ts'

type Visit = { readonly issuer: string; readonly wasSignedIn: boolean }

/** To the app that proved itself, or to our own pages: the question first, or what was done. */
export function respondEndSession(outcome: EndSessionOutcome, { issuer, wasSignedIn }: Visit): Reply {
  const request = ['request', outcome.request] as const
  if (outcome.kind === 'confirm') return seeOther(`/logout?${encodeForm([request])}`)
  const query = encodeForm(wasSignedIn ? [request, ['ended', '1']] : [request])
  return seeOther(outcome.redirect ?? `/logout/done?${query}`, [endedSessionCookie(issuer)])
}
