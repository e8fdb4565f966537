/** The session of a page under /account, or of its form. */
import type { PageExchange } from '#app/_ui/hosted-route.ts'
import { withCarried } from '#app/(interaction)/login/sign-in-step.ts'
import { type Reply, seeOther } from '#lib/http/reply.ts'
import { currentSession } from '#lib/identity/session.ts'

/** The session of a signed-in user. */
export type OpenSession = NonNullable<Awaited<ReturnType<typeof currentSession>>>

export type OwnSession = { readonly session: OpenSession } | { readonly elsewhere: Reply }

type Asked = {
  /** The user for whom the page with the form was shown; `null`: not sent. */
  readonly user?: string | null
  /** The page to which the user returns; `null`: the account page. */
  readonly back?: string | null
}

/**
 * Returns the session, or a redirect: without a session to the sign-in page, and back to the page if `user` is no longer the
 * current one of this browser.
 */
export async function ownSession(
  { cookies, services }: Pick<PageExchange, 'cookies' | 'services'>,
  { user = null, back = null }: Asked,
): Promise<OwnSession> {
  const session = await currentSession(services.ports, cookies.session)
  if (session === null) return { elsewhere: seeOther(withCarried('/login', { pending: null, back })) }
  if (user !== null && user !== session.subject) return { elsewhere: seeOther(back ?? '/account') }
  return { session }
}
