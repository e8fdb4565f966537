/** Makes the routes from which the script of passkeys gets its options. */
import { jsonRoute } from '#app/routes.ts'
import { OauthError } from '#lib/errors/oauth-error.ts'
import { browserCookie } from '#lib/http/cookies.ts'
import type { Exchange } from '#lib/http/exchange.ts'
import { jsonReply, withCookies } from '#lib/http/reply.ts'
import { requireSameOrigin } from '#lib/http/same-origin.ts'
import type { BrowserHandle } from '#lib/protocol/ids.ts'
import type { Services } from '#lib/server/services.ts'

/** Returns the options with the sealed challenge; `null`: there are none for this browser. */
type MakeOptions = (
  exchange: Exchange<Services>,
  browser: BrowserHandle,
) => object | null | Promise<object | null>

/** The route of the options. A browser without a cookie gets one, because the challenge works only in this browser. */
export function passkeyOptions(pattern: string, makeOptions: MakeOptions) {
  return jsonRoute(pattern, {
    POST: async exchange => {
      const { request, services, cookies } = exchange
      const { issuer } = services.config
      requireSameOrigin(request, issuer)
      const browser = cookies.browser ?? services.ports.random.handle('browser')
      const made = await makeOptions(exchange, browser)
      if (made === null) throw new OauthError('not_found')
      const reply = jsonReply(200, made, { 'cache-control': 'no-store' })
      return cookies.browser === null ? withCookies(reply, [browserCookie(browser, issuer)]) : reply
    },
  })
}
