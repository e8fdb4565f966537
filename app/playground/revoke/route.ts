import { endpoint } from '#lib/http/endpoint.ts'
import { refuseWithPage } from '#lib/http/error-page.ts'
import { seeOther } from '#lib/http/reply.ts'
import { requireSameOrigin } from '#lib/http/same-origin.ts'
import { services } from '#lib/server/services.ts'
import { requirePlayground } from '../guard.ts'
import { readTokens } from '../kept-tokens.ts'
import { callRevocation } from '../own-endpoints.ts'

/** Ends the access token. It stays on the page, so that one can see it being refused. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoint(services, {
  pattern: '/playground/revoke',
  refuse: refuseWithPage,
  POST: async ({ request, services: s }) => {
    const app = await requirePlayground(s)
    const { issuer } = s.config
    requireSameOrigin(request, issuer)
    const tokens = readTokens(request.headers.get('cookie'))
    if (tokens === null) return seeOther('/playground')
    await callRevocation(issuer, app, tokens.access_token)
    return seeOther('/playground/result?done=revoked')
  },
})
