import { pageRoute } from '#app/routes.ts'
import { resume } from '#lib/core/authorize/resume.ts'
import { respondAuthorize } from '#lib/http/authorize.ts'
import { readQuery } from '#lib/http/read-params.ts'
import { readPendingRequest } from '#lib/identity/pending-user.ts'
import { parseHandle } from '#lib/protocol/ids.ts'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = pageRoute('/connect/authorize/resume', {
  endpoint: 'authorize',
  // While the endpoint is turned off, these ports know only the client of the dashboard
  alwaysAnswers: () => true,
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
