import { browserCookie, endedSessionCookie, otherSessionCookies } from '#lib/http/cookies.ts'
import type { Exchange } from '#lib/http/exchange.ts'
import { type Reply, seeOther } from '#lib/http/reply.ts'
import type { BrowserAccount } from '#lib/identity/browser-accounts.ts'
import { startExternalSignOut } from '#lib/identity/external-sign-out.ts'
import { asOther } from '#lib/identity/session.ts'
import { localProvider } from '#lib/protocol/vocabulary.ts'
import type { Services } from '#lib/server/services.ts'

type SignedOutExchange = Pick<Exchange<Services>, 'cookies' | 'context' | 'services'>

type SignedOut = {
  readonly ended: readonly BrowserAccount[]
  /** The accounts that stay signed in in this browser. */
  readonly left: readonly BrowserAccount[]
}

/**
 * Redirects after sessions have ended: to the identity provider of one of them if a sign-out can begin there, otherwise to
 * `onward(idp)`. An external `idp` may still have a session of the user; `null` and `local` name no such provider.
 */
export async function signedOutReply(
  { cookies, context, services }: SignedOutExchange,
  { ended, left }: SignedOut,
  onward: (idp: string | null) => string,
): Promise<Reply> {
  const { issuer } = services.config
  const kept = left.filter(({ isCurrent }) => !isCurrent).map(asOther)
  const changed = [
    ...(kept.length === left.length ? [endedSessionCookie(issuer)] : []),
    ...otherSessionCookies(kept, cookies, issuer),
  ]
  const external = ended.map(({ session }) => session).filter(({ idp }) => idp !== localProvider)
  const browser = cookies.browser ?? services.ports.random.handle('browser')
  for (const session of external) {
    const next = onward(external.find(({ idp }) => idp !== session.idp)?.idp ?? localProvider)
    const url = await startExternalSignOut(services.ports, { session, browser, next }, context)
    if (url !== null) return seeOther(url, [...changed, browserCookie(browser, issuer)])
  }
  return seeOther(onward(external[0]?.idp ?? (ended.length === 0 ? null : localProvider)), changed)
}
