import { browserCookie, endedSessionCookie } from '#lib/http/cookies.ts'
import type { Exchange } from '#lib/http/exchange.ts'
import { type Reply, seeOther } from '#lib/http/reply.ts'
import { type ExternalSignOut, startExternalSignOut } from '#lib/identity/external-sign-out.ts'
import { localProvider } from '#lib/protocol/vocabulary.ts'
import type { Services } from '#lib/server/services.ts'

type SignedOutExchange = Pick<Exchange<Services>, 'cookies' | 'context' | 'services'>

/**
 * Redirects after `session` has ended: to its identity provider if a sign-out can begin there, otherwise to `onward(idp)`. An
 * external `idp` may still have a session of the user; `null` and `local` name no such provider.
 */
export async function signedOutReply(
  { cookies, context, services }: SignedOutExchange,
  session: ExternalSignOut['session'] | null,
  onward: (idp: string | null) => string,
): Promise<Reply> {
  const { issuer } = services.config
  const ended = endedSessionCookie(issuer)
  if (session === null) return seeOther(onward(null), [ended])
  const browser = cookies.browser ?? services.ports.random.handle('browser')
  const request = { session, browser, next: onward(localProvider) }
  const url = await startExternalSignOut(services.ports, request, context)
  if (url === null) return seeOther(onward(session.idp), [ended])
  return seeOther(url, [ended, browserCookie(browser, issuer)])
}
