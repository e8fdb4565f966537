import type { EndSessionOutcome } from '#lib/core/logout/end-session.ts'
import { localProvider } from '#lib/protocol/vocabulary.ts'
import { endedSessionCookie } from './cookies.ts'
import { encodeForm } from './read-params.ts'
import { type Reply, seeOther } from './reply.ts'

type Visit = {
  readonly issuer: string
  /** Where the user of the ended session came from; `null`: there was none. */
  readonly idp: string | null
}

/** To the app that proved itself, or to our own pages: the question first, or what was done. */
export function respondEndSession(outcome: EndSessionOutcome, { issuer, idp }: Visit): Reply {
  const request = ['request', outcome.request] as const
  if (outcome.kind === 'confirm') return seeOther(`/logout?${encodeForm([request])}`)
  const query = encodeForm(idp === null ? [request] : [request, ...endedFields(idp)])
  return seeOther(outcome.redirect ?? `/logout/done?${query}`, [endedSessionCookie(issuer)])
}

/** For the page that says what was done: a provider may still have a session of the user. */
export function endedFields(idp: string | null): ReadonlyArray<readonly [string, string]> {
  const isExternal = idp !== null && idp !== localProvider
  return [['ended', '1'], ...(isExternal ? [['provider', idp] as const] : [])]
}
