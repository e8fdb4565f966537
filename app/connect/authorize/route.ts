import { authorize } from '#lib/core/authorize/authorize.ts'
import { authorizeQueryOf, readAuthorizeQuery, respondAuthorize } from '#lib/http/authorize.ts'
import { endpoint } from '#lib/http/endpoint.ts'
import { refuseWithPage } from '#lib/http/error-page.ts'
import { seeOther } from '#lib/http/reply.ts'
import { readCurrentSession } from '#lib/identity/session.ts'
import { clientIdSchema } from '#lib/protocol/ids.ts'
import { openServices } from '#lib/server/services.ts'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoint(openServices, {
  pattern: '/connect/authorize',
  writeRefusal: refuseWithPage,
  refusalEvent: 'authorize_refused',
  getChangesState: true,
  GET: async exchange => {
    const { request, cookies, context, services } = exchange
    const asked = readAuthorizeQuery(request)
    const { data: clientId } = clientIdSchema.safeParse(asked.parameters.one('client_id'))
    const user = (await readCurrentSession(services.ports, cookies.session, clientId)) ?? { session: null }
    const browser = cookies.browser ?? services.ports.random.handle('browser')
    return respondAuthorize(
      await authorize(services.authorizationPorts(user.session), { ...asked, ...user, browser }, context),
      exchange,
      browser,
    )
  },
  // A post from the client's site carries no Lax cookies; the same request as GET does.
  POST: async ({ request }) => seeOther(`/connect/authorize?${await authorizeQueryOf(request)}`),
})
