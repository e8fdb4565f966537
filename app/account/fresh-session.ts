/** The session of a page on which users change how they sign in: see `hasFreshSignIn`. */
import { withCarried } from '#app/(interaction)/login/sign-in-step.ts'
import type { Exchange } from '#lib/http/exchange.ts'
import type { FormFields } from '#lib/http/read-params.ts'
import { seeOther } from '#lib/http/reply.ts'
import { hasFreshSignIn } from '#lib/identity/fresh-sign-in.ts'
import { confirmPath } from '#lib/protocol/wire/local-paths.ts'
import type { Services } from '#lib/server/services.ts'
import { type OpenSession, type OwnSession, ownSession } from './own-session.ts'

/**
 * Returns the session if its user signed in recently with the strongest factor (MF-04). Otherwise the user first signs in
 * again, and then returns to `back`, a page under /account. A form that was shown for another user of this browser changes
 * nothing: see `ownSession`.
 */
export async function freshSession(
  exchange: Exchange<Services> & { readonly form?: FormFields },
  back: string,
  isFresh: (ports: Services['ports'], session: OpenSession) => Promise<boolean> = hasFreshSignIn,
): Promise<OwnSession> {
  const own = await ownSession(exchange, { user: exchange.form?.user ?? null, back })
  if ('elsewhere' in own || (await isFresh(exchange.services.ports, own.session))) return own
  return { elsewhere: seeOther(withCarried(confirmPath, { pending: null, back })) }
}
