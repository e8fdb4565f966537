import { pageRoute } from '#app/routes.ts'
import { queryCharacters } from '#lib/config/limits.ts'
import { OauthError } from '#lib/errors/oauth-error.ts'
import type { Exchange } from '#lib/http/exchange.ts'
import { landingReply } from '#lib/http/page-frame.ts'
import { encodeForm, readForm, readQuery } from '#lib/http/read-params.ts'
import { type Reply, seeOther } from '#lib/http/reply.ts'
import { respondSignIn } from '#lib/http/respond-sign-in.ts'
import { readBack } from '#lib/http/step-cookies.ts'
import { completeExternalSignIn } from '#lib/identity/external-sign-in.ts'
import { parseHandle } from '#lib/protocol/ids.ts'
import type { Services } from '#lib/server/services.ts'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = pageRoute(
  '/login/external/[scheme]/callback',
  {
    getChangesState: true,
    GET: async exchange => {
      const { request, cookies, context, segments, services } = exchange
      const test = providerTestReturn(exchange)
      if (test !== null) return test
      const { browser, sessions: previous, trustedBrowsers } = cookies
      const parameters = readQuery(request)
      const answer = await completeExternalSignIn(
        services.pendingPorts(),
        {
          scheme: segments.scheme ?? '',
          parameters,
          browser,
          previous,
          trustedBrowsers,
        },
        context,
      )
      const back = readBack(request.headers.get('cookie'), services.config.issuer)
      const isConfirmation = parseHandle('externalConfirmState', parameters.state) !== null
      const place = { pending: answer.pending, username: null, back, isConfirmation }
      return respondSignIn(answer, exchange, place)
    },
    // A form post from another site carries no Lax cookies, so the browser is redirected to send its fields by GET. PKCE and the
    // browser cookie protect the code in the address.
    POST: async ({ request, segments }) => {
      const query = encodeForm(Object.entries(await readForm(request)))
      if (query.length > queryCharacters) throw new OauthError('callback_post_too_long')
      return seeOther(`/login/external/${encodeURIComponent(segments.scheme ?? '')}/callback?${query}`)
    },
  },
)

/**
 * Redirects the callback of an admin's test sign-in, which creates no session, to a page of the dashboard. Browsers do not send
 * the admin cookie with a navigation from another site, so a page of this server does the redirect. Returns `null` for other
 * callbacks.
 */
function providerTestReturn(exchange: Exchange<Services>): Reply | null {
  const { request, segments } = exchange
  const query = readQuery(request)
  if (parseHandle('providerTestState', query.state) === null) return null
  const back = `/admin/providers/${encodeURIComponent(segments.scheme ?? '')}/test/return`
  return landingReply(exchange, `${back}?${encodeForm(Object.entries(query))}`)
}
