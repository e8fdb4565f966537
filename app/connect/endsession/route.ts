import { signedOutReply } from '#app/(interaction)/logout/signed-out-reply.ts'
import { pageRoute } from '#app/routes.ts'
import { bodyBytes } from '#lib/config/limits.ts'
import {
  type AskedSignOut,
  endSession,
  openPostedSignOut,
  readSignOutParameters,
  sealPostedSignOut,
} from '#lib/core/logout/end-session.ts'
import { encodeForm, readFormPairs, readParameters, readQueryParameters } from '#lib/http/read-params.ts'
import { seeOther } from '#lib/http/reply.ts'
import { confirmPath, donePath } from '#lib/http/respond-end-session.ts'
import { isTopLevelNavigation } from '#lib/http/same-origin.ts'
import { browserAccounts, findAccount } from '#lib/identity/browser-accounts.ts'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = pageRoute('/connect/endsession', {
  endpoint: 'endsession',
  getChangesState: true,
  GET: async exchange => {
    const { request, cookies, context, services } = exchange
    const parameters = readQueryParameters(request, rules)
    const posted = parameters.one('posted')
    const asked =
      posted === null
        ? await readSignOutParameters(services.ports, parameters)
        : openPostedSignOut(services.ports, posted)
    // An unreadable request may be one that needs a confirmation
    if (asked === null) return seeOther(confirmPath(''))
    const accounts = await browserAccounts(services.ports, cookies)
    const account = findAccount(accounts, hintedUser(asked)) ?? findAccount(accounts, null)
    const session = account?.session ?? null
    const input = { asked, session, isTopLevelNavigation: isTopLevelNavigation(request) }
    const outcome = await endSession(services.ports, input, context)
    if (outcome.kind === 'confirm') return seeOther(confirmPath(outcome.request))
    const left = accounts.filter(each => each !== account)
    const hasOthers = left.length > 0
    const onward = (idp: string | null) =>
      outcome.redirect ?? donePath(outcome.request, session === null ? null : { idp, hasOthers })
    return signedOutReply(exchange, { ended: account === null ? [] : [account], left }, onward)
  },
  // A cross-site POST does not send Lax cookies, so redirect to the same request by GET
  POST: async ({ request, services: { ports } }) => {
    const parameters = readParameters(await readFormPairs(request, bodyBytes.form), rules)
    const asked = await readSignOutParameters(ports, parameters)
    return seeOther(`/connect/endsession?${encodeForm([['posted', sealPostedSignOut(ports, asked)]])}`)
  },
})

function hintedUser({ hint }: AskedSignOut): string | null {
  return hint === null || hint === 'invalid' ? null : hint.subject
}

/**
 * Accepts parameters of any length here. A value that is too long counts as invalid later, so that the user is asked to confirm:
 * after an error page the user would still be signed in.
 */
const rules = {
  anyLength: ['id_token_hint', 'client_id', 'post_logout_redirect_uri', 'state', 'logout_hint', 'posted'],
}
