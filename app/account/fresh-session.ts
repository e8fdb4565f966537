/** The session of a page on which users change how they sign in: see `hasFreshSignIn`. */
import { withCarried } from '#app/(interaction)/login/sign-in-step.ts'
import type { Exchange } from '#lib/http/exchange.ts'
import type { FormFields } from '#lib/http/read-params.ts'
import { type Reply, seeOther } from '#lib/http/reply.ts'
import { hasFreshSignIn } from '#lib/identity/fresh-sign-in.ts'
import { currentSession } from '#lib/identity/session.ts'
import { confirmPath } from '#lib/protocol/wire/local-paths.ts'
import type { Services } from '#lib/server/services.ts'

/** The session of a signed-in user. */
export type OpenSession = NonNullable<Awaited<ReturnType<typeof currentSession>>>

type FreshSession = { readonly session: OpenSession } | { readonly elsewhere: Reply }

/**
 * Returns the session if its user signed in recently with the strongest factor (MF-04). Otherwise the user first signs in
 * again, and then returns to `back`, a page under /account. A form that was shown for another user of this browser leads back to its
 * page.
 */
export async function freshSession(
  { cookies, services: { ports }, form }: Exchange<Services> & { readonly form?: FormFields },
  back: string,
  isFresh: (ports: Services['ports'], session: OpenSession) => Promise<boolean> = hasFreshSignIn,
): Promise<FreshSession> {
  const session = await currentSession(ports, cookies.session)
  if (session === null) return { elsewhere: seeOther(withCarried('/login', { pending: null, back })) }
  if (form?.user !== undefined && form.user !== session.subject) return { elsewhere: seeOther(back) }
  if (await isFresh(ports, session)) return { session }
  return { elsewhere: seeOther(withCarried(confirmPath, { pending: null, back })) }
}
