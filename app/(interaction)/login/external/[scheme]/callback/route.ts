import { ownSession } from '#app/account/own-session.ts'
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
import { completeLink } from '#lib/identity/links/link-provider.ts'
import { parseHandle } from '#lib/protocol/ids.ts'
import { linksPath } from '#lib/protocol/wire/local-paths.ts'
import type { Services } from '#lib/server/services.ts'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = pageRoute(
  '/login/external/[scheme]/callback',
  {
    getChangesState: true,
    GET: async exchange => {
      const { request, cookies, context, segments, services } = exchange
      const test = providerTestReturn(exchange)
      if (test !== null) return test
      const link = await linkReturn(exchange)
      if (link !== null) return link
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

/**
 * Completes the sign-in of a signed-in user whose identity is to be linked, which creates no session. Returns `null` for other
 * callbacks.
 */
async function linkReturn(exchange: Exchange<Services>): Promise<Reply | null> {
  const { request, segments, services, context } = exchange
  const parameters = readQuery(request)
  if (parseHandle('externalLinkState', parameters.state) === null) return null
  const found = await ownSession(exchange, { back: '/account?done=link_expired' })
  if ('elsewhere' in found) return found.elsewhere
  const { scheme = '' } = segments
  const callback = { session: found.session, scheme, parameters }
  const outcome = await completeLink(services.pendingPorts(), callback, context)
  switch (outcome.kind) {
    case 'proven':
      return seeOther(`${linksPath}/confirm?proof=${outcome.proof}`)
    case 'failed': {
      const query = encodeForm([
        ['provider', scheme],
        ['error', 'failed'],
      ])
      return seeOther(`${linksPath}/add?${query}`)
    }
    default:
      return seeOther(`/account?done=link_${outcome.kind}`)
  }
}
