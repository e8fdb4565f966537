import { signedOutReply } from '#app/(interaction)/logout/signed-out-reply.ts'
import { bodyBytes, queryCharacters } from '#lib/config/limits.ts'
import { endSession } from '#lib/core/logout/end-session.ts'
import { OauthError } from '#lib/errors/oauth-error.ts'
import { endpoint } from '#lib/http/endpoint.ts'
import { refuseWithPage } from '#lib/http/error-page.ts'
import { encodeForm, readForm, readQueryParameters } from '#lib/http/read-params.ts'
import { seeOther } from '#lib/http/reply.ts'
import { confirmPath, donePath } from '#lib/http/respond-end-session.ts'
import { isTopLevelNavigation } from '#lib/http/same-origin.ts'
import { currentSession } from '#lib/identity/session.ts'
import { openServices } from '#lib/server/services.ts'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoint(openServices, {
  pattern: '/connect/endsession',
  endpoint: 'endsession',
  writeRefusal: refuseWithPage,
  getChangesState: true,
  GET: async exchange => {
    const { request, cookies, context, services } = exchange
    const parameters = readQueryParameters(request)
    const session = await currentSession(services.ports, cookies.session)
    const input = { parameters, session, isTopLevelNavigation: isTopLevelNavigation(request) }
    const outcome = await endSession(services.ports, input, context)
    if (outcome.kind === 'confirm') return seeOther(confirmPath(outcome.request))
    const onward = (idp: string | null) =>
      outcome.redirect ?? donePath(outcome.request, session === null ? null : { idp })
    return signedOutReply(exchange, session, onward)
  },
  // A post from the app's site carries no Lax cookies; the same request as GET does.
  POST: async ({ request }) => {
    const query = encodeForm(Object.entries(await readForm(request, bodyBytes.form)))
    if (query.length > queryCharacters) throw new OauthError('endsession_post_too_long')
    return seeOther(`/connect/endsession?${query}`)
  },
})
