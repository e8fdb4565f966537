/** The session of a page under /account, or of its form. */
import type { PageExchange } from '#app/_ui/hosted-route.ts'
import { withCarried } from '#app/(interaction)/login/sign-in-step.ts'
import { type Reply, seeOther } from '#lib/http/reply.ts'
import { loginAgain } from '#lib/http/respond-sign-in.ts'
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

const signedOut = { why: 'signed_out', retryAfterSeconds: 0 } as const

/**
 * Returns the session, or a redirect: without a session to the sign-in page, and to the account page if `user` is no longer the
 * current one of this browser. For a form, both pages say why nothing was changed (UXC-27).
 */
export async function ownSession(
  { request, cookies, services }: Pick<PageExchange, 'request' | 'cookies' | 'services'>,
  { user = null, back = null }: Asked,
): Promise<OwnSession> {
  const session = await currentSession(services.ports, cookies.session)
  if (session === null) {
    const place = { pending: null, back }
    const isForm = request.method === 'POST'
    return { elsewhere: seeOther(isForm ? loginAgain(place, signedOut) : withCarried('/login', place)) }
  }
  if (user !== null && user !== session.subject)
    return { elsewhere: seeOther('/account?done=another_account') }
  return { session }
}
