import { queryCharacters } from '#lib/config/limits.ts'
import { OauthError } from '#lib/errors/oauth-error.ts'
import { encodeForm } from '#lib/http/decode-form.ts'
import { endpoint } from '#lib/http/endpoint.ts'
import { refuseWithPage } from '#lib/http/error-page.ts'
import { readForm, readQuery } from '#lib/http/read-params.ts'
import { seeOther } from '#lib/http/reply.ts'
import { respondAuthorize } from '#lib/http/respond-authorize.ts'
import { services } from '#lib/server/services.ts'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoint(services, {
  pattern: '/connect/authorize',
  refuse: refuseWithPage,
  refusal: 'authorize_refused',
  getChangesState: true,
  GET: async exchange => {
    const { request, cookies, context, services: s } = exchange
    const parameters = readQuery(request)
    const session = await s.currentSession(cookies.session)
    const browser = cookies.browser ?? s.random.handle('browser')
    return respondAuthorize(await s.authorize({ parameters, session, browser }, context), exchange, browser)
  },
  // A post from the client's site carries no Lax cookies; the same request as GET does.
  POST: async ({ request }) => {
    const query = encodeForm(Object.entries(await readForm(request)))
    if (query.length > queryCharacters) throw new OauthError('content_too_large', 'authorize_post_too_long')
    return seeOther(`/connect/authorize?${query}`)
  },
})
