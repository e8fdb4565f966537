import { endpoint } from '#lib/http/endpoint.ts'
import { refuseWithPage } from '#lib/http/error-page.ts'
import { encodeForm } from '#lib/http/read-params.ts'
import { seeOther } from '#lib/http/reply.ts'
import { requireSameOrigin } from '#lib/http/same-origin.ts'
import { services } from '#lib/server/services.ts'
import { requirePlayground } from '../guard.ts'
import { endedTokenCookies, readTokens, tokenCookies, tokenResponseSchema } from '../kept-tokens.ts'
import { callTokenEndpoint } from '../own-endpoints.ts'

/** New tokens for the old refresh token, which is spent by this. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoint(services, {
  pattern: '/playground/refresh',
  refuse: refuseWithPage,
  POST: async ({ request, services: s }) => {
    const app = await requirePlayground(s)
    const { issuer } = s.config
    requireSameOrigin(request, issuer)
    const refreshToken = readTokens(request.headers.get('cookie'))?.refresh_token
    if (refreshToken === undefined) return seeOther('/playground')
    const form = { grant_type: 'refresh_token', refresh_token: refreshToken }
    const { body } = await callTokenEndpoint(issuer, app, form)
    const tokens = tokenResponseSchema.safeParse(body)
    if (tokens.success) return seeOther('/playground/result?done=refreshed', tokenCookies(tokens.data))
    return seeOther(`/playground?${encodeForm([['error', 'token_refused']])}`, endedTokenCookies())
  },
})
