import { endpoint } from '#lib/http/endpoint.ts'
import { refuseWithPage } from '#lib/http/error-page.ts'
import { readForm } from '#lib/http/read-params.ts'
import { respondAuthorize } from '#lib/http/respond-authorize.ts'
import { requireSameOrigin } from '#lib/http/same-origin.ts'
import { parseHandle } from '#lib/protocol/ids.ts'
import { services } from '#lib/server/services.ts'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoint(services, {
  pattern: '/login/cancel',
  refuse: refuseWithPage,
  POST: async exchange => {
    const { request, cookies, context, services: s } = exchange
    requireSameOrigin(request, s.config.issuer)
    const pending = parseHandle('pending', (await readForm(request)).pending)
    const outcome = await s.cancelRequest({ pending, browser: cookies.browser }, context)
    return respondAuthorize(outcome, exchange, cookies.browser)
  },
})
