import { endpoint } from '#lib/http/endpoint.ts'
import { refuseWithPage } from '#lib/http/error-page.ts'
import { readQuery } from '#lib/http/read-params.ts'
import { respondAuthorize } from '#lib/http/respond-authorize.ts'
import { parseHandle } from '#lib/protocol/ids.ts'
import { services } from '#lib/server/services.ts'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoint(services, {
  pattern: '/connect/authorize/resume',
  refuse: refuseWithPage,
  getChangesState: true,
  GET: async exchange => {
    const { request, cookies, context, services: s } = exchange
    const pending = parseHandle('pending', readQuery(request).pending)
    const session = await s.currentSession(cookies.session)
    const outcome = await s.resume({ pending, browser: cookies.browser, session }, context)
    return respondAuthorize(outcome, exchange, cookies.browser)
  },
})
