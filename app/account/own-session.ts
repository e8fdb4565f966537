/** Reads the session for a form of the account page. */

import type { PageExchange } from '#app/_ui/hosted-route.ts'
import { type Reply, seeOther } from '#lib/http/reply.ts'
import { currentSession } from '#lib/identity/session.ts'

type OwnSession = { readonly session: NonNullable<Awaited<ReturnType<typeof currentSession>>> }

/**
 * Returns the session, or a redirect: without a session to the sign-in page, and to the account page if `user`, for whom the page
 * with the form was shown, is no longer the current one of this browser.
 */
export async function ownSession(
  { cookies, services }: Pick<PageExchange, 'cookies' | 'services'>,
  user: string | null,
): Promise<OwnSession | { readonly elsewhere: Reply }> {
  const session = await currentSession(services.ports, cookies.session)
  if (session === null) return { elsewhere: seeOther('/login') }
  if (user !== null && user !== session.subject) return { elsewhere: seeOther('/account') }
  return { session }
}
