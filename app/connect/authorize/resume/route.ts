import { findPendingRequest } from '#lib/core/authorize/pending.ts'
import { resume } from '#lib/core/authorize/resume.ts'
import { respondAuthorize } from '#lib/http/authorize.ts'
import { endpoint } from '#lib/http/endpoint.ts'
import { refuseWithPage } from '#lib/http/error-page.ts'
import { readQuery } from '#lib/http/read-params.ts'
import { readCurrentSession } from '#lib/identity/session.ts'
import { clientIdSchema, parseHandle } from '#lib/protocol/ids.ts'
import { openServices } from '#lib/server/services.ts'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoint(openServices, {
  pattern: '/connect/authorize/resume',
  writeRefusal: refuseWithPage,
  getChangesState: true,
  GET: async exchange => {
    const { request, cookies, context, services } = exchange
    const carried = {
      pending: parseHandle('pending', readQuery(request).pending),
      browser: cookies.browser,
    }
    // In this order, so that the user's consent for the client is read with the session
    const found = await findPendingRequest(services.ports, carried)
    const { data: clientId } = clientIdSchema.safeParse(found?.parameters.client_id)
    const user = (await readCurrentSession(services.ports, cookies.session, clientId)) ?? { session: null }
    const resumed = { ...carried, request: found, ...user }
    const outcome = await resume(services.authorizationPorts(user.session), resumed, context)
    return respondAuthorize(outcome, exchange, cookies.browser)
  },
})
