import { pageRoute } from '#app/routes.ts'
import { resume } from '#lib/core/authorize/resume.ts'
import { respondAuthorize } from '#lib/http/authorize.ts'
import { readQuery } from '#lib/http/read-params.ts'
import { readPendingRequest } from '#lib/identity/pending-user.ts'
import { parseHandle } from '#lib/protocol/ids.ts'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = pageRoute('/connect/authorize/resume', {
  endpoint: 'authorize',
  // The endpoint may be turned off: then only requests of the dashboard can be pending, and these ports know only its client
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
