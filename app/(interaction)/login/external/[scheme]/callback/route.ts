import { queryCharacters } from '#lib/config/limits.ts'
import { OauthError } from '#lib/errors/oauth-error.ts'
import { encodeForm } from '#lib/http/decode-form.ts'
import { endpoint } from '#lib/http/endpoint.ts'
import { refuseWithPage } from '#lib/http/error-page.ts'
import { readForm, readQuery } from '#lib/http/read-params.ts'
import { seeOther } from '#lib/http/reply.ts'
import { respondSignIn } from '#lib/http/respond-sign-in.ts'
import { readBack } from '#lib/http/sign-in-back.ts'
import { services } from '#lib/server/services.ts'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoint(services, {
  pattern: '/login/external/[scheme]/callback',
  refuse: refuseWithPage,
  getChangesState: true,
  GET: async exchange => {
    const { request, cookies, context, segments, services: s } = exchange
    const { browser, session: previous } = cookies
    const answer = await s.completeExternalSignIn(
      {
        scheme: segments.scheme ?? '',
        parameters: readQuery(request),
        browser,
        previous,
        findInteraction: s.findPending,
      },
      context,
    )
    const back = readBack(request.headers.get('cookie'), s.config.issuer)
    return respondSignIn(answer, exchange, { pending: answer.pending, username: null, back })
  },
  // A form post from the provider carries no Lax cookies; the same answer as GET does. The code is bound to both.
  POST: async ({ request, segments }) => {
    const query = encodeForm(Object.entries(await readForm(request)))
    if (query.length > queryCharacters) throw new OauthError('content_too_large', 'callback_post_too_long')
    return seeOther(`/login/external/${encodeURIComponent(segments.scheme ?? '')}/callback?${query}`)
  },
})
