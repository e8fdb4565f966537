import { pageRoute } from '#app/routes.ts'
import { adminClientId } from '#lib/admin/access/built-in.ts'
import { type AuthorizeOutcome, authorize } from '#lib/core/authorize/authorize.ts'
import {
  authorizeQueryOf,
  hookHeaders,
  readAuthorizeQuery,
  respondAuthorize,
  respondRefused,
} from '#lib/http/authorize.ts'
import { browserCookie } from '#lib/http/cookies.ts'
import type { Exchange } from '#lib/http/exchange.ts'
import { type Reply, seeOther, withCookies } from '#lib/http/reply.ts'
import { respondSignIn } from '#lib/http/respond-sign-in.ts'
import { userOfRequest } from '#lib/identity/browser-accounts.ts'
import { preAuthenticate } from '#lib/identity/pre-authenticate.ts'
import { type BrowserHandle, clientIdSchema } from '#lib/protocol/ids.ts'
import type { Services } from '#lib/server/services.ts'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = pageRoute('/connect/authorize', {
  endpoint: 'authorize',
  alwaysAnswers: isForDashboard,
  refusalEvent: 'authorize_refused',
  getChangesState: true,
  GET: async exchange => {
    const { request, cookies, context, services } = exchange
    const asked = readAuthorizeQuery(request)
    const { data: clientId } = clientIdSchema.safeParse(asked.parameters.one('client_id'))
    const idTokenHint = asked.parameters.one('id_token_hint')
    const user = await userOfRequest(services.ports, cookies, { clientId, idTokenHint })
    const browser = cookies.browser ?? services.ports.random.handle('browser')
    const ports = services.authorizationPorts(user.session, clientId)
    const outcome = await authorize(ports, { ...asked, ...user, browser }, context)
    return (await replyOfHook(exchange, outcome, browser)) ?? respondAuthorize(outcome, exchange, browser)
  },
  // A cross-site POST does not send Lax cookies, so redirect to the same request by GET
  POST: async ({ request }) => seeOther(`/connect/authorize?${await authorizeQueryOf(request)}`),
})

/**
 * The reply of the `preAuthenticate` hook; `null` if there is no hook, if no sign-in is next, or if the hook lets the request
 * continue. The hook is called here, because only `outcome` shows whether a sign-in would be next.
 */
async function replyOfHook(
  exchange: Exchange<Services>,
  outcome: AuthorizeOutcome,
  browser: BrowserHandle,
): Promise<Reply | null> {
  const { request, cookies, context, services } = exchange
  if (services.ports.hooks.preAuthenticate === undefined) return null
  const input = { ...hookHeaders(request), outcome, browser, previous: cookies.sessions }
  const answer = await preAuthenticate(services.pendingPorts(), input, context)
  if (answer === null) return null
  if (answer.kind === 'refused') return respondRefused(answer.page, answer.message, exchange)
  const place = { pending: answer.pending, username: null, back: null }
  const reply = respondSignIn(answer.outcome, exchange, place)
  // RFC 6265 4.1.1: a response sets a cookie once, and an interrupted sign-in has set this one
  if (answer.outcome.kind === 'partial') return reply
  return withCookies(reply, [browserCookie(browser, services.config.issuer)])
}

/** Whether the request is one of the dashboard, which can sign its administrators in even when the endpoint is turned off. */
function isForDashboard({ method, url }: Request): boolean {
  const named = new URL(url).searchParams.getAll('client_id')
  return method === 'GET' && named.length === 1 && named[0] === adminClientId
}
