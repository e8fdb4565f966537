import { resume } from '#lib/core/authorize/resume.ts'
import { respondAuthorize } from '#lib/http/authorize.ts'
import { endpoint } from '#lib/http/endpoint.ts'
import { refuseWithPage } from '#lib/http/error-page.ts'
import { readQuery } from '#lib/http/read-params.ts'
import { readPendingRequest } from '#lib/identity/pending-user.ts'
import { parseHandle } from '#lib/protocol/ids.ts'
import { openServices } from '#lib/server/services.ts'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoint(openServices, {
  pattern: '/connect/authorize/resume',
  endpoint: 'authorize',
  // The endpoint may be turned off: then only requests of the dashboard can be pending, and these ports know only its client
  alwaysAnswers: () => true,
  writeRefusal: refuseWithPage,
  getChangesState: true,
  GET: async exchange => {
    const { request, cookies, context, services } = exchange
    const pending = parseHandle('pending', readQuery(request).pending)
    const found = await readPendingRequest(services.ports, { ...cookies, pending })
    const resumed = { ...found, pending, browser: cookies.browser }
    const outcome = await resume(services.authorizationPorts(found.session), resumed, context)
    return respondAuthorize(outcome, exchange, cookies.browser)
  },
})
