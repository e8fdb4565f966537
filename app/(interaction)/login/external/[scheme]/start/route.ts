import { pageRoute } from '#app/routes.ts'
import { browserCookie } from '#lib/http/cookies.ts'
import { errorReply } from '#lib/http/error-page.ts'
import { refusalFromReason } from '#lib/http/http-refusal.ts'
import { readQuery } from '#lib/http/read-params.ts'
import { seeOther, withCookies } from '#lib/http/reply.ts'
import { loginAgain } from '#lib/http/respond-sign-in.ts'
import { isOwnNavigation } from '#lib/http/same-origin.ts'
import { backCookie, backPath } from '#lib/http/step-cookies.ts'
import { startExternalSignIn } from '#lib/identity/external-sign-in.ts'
import { parseHandle } from '#lib/protocol/ids.ts'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = pageRoute('/login/external/[scheme]/start', {
  getChangesState: true,
  GET: async exchange => {
    const { request, cookies, context, segments, services } = exchange
    const query = readQuery(request)
    const pending = parseHandle('pending', query.pending)
    const back = backPath(query.back)
    const isConfirmation = pending === null && query.confirm !== undefined
    // Login CSRF: a pending request belongs to this browser; without one, no other site may start the sign-in
    if (pending === null && !isOwnNavigation(request)) return seeOther('/login')
    const scheme = segments.scheme ?? ''
    const ports = services.pendingPorts()
    const browser = cookies.browser ?? ports.random.handle('browser')
    const outcome = await startExternalSignIn(ports, { scheme, pending, browser, isConfirmation }, context)
    if (outcome.kind === 'redirect') {
      const kept = back === null ? [] : [backCookie(back, services.config.issuer)]
      return withCookies(seeOther(outcome.url), [browserCookie(browser, services.config.issuer), ...kept])
    }
    if (outcome.why === 'provider_failed')
      return seeOther(
        loginAgain({ pending, back, isConfirmation }, { ...outcome, scheme, retryAfterSeconds: 0 }),
      )
    const reason = outcome.why === 'expired' ? 'request_expired' : 'not_found'
    return errorReply(refusalFromReason(reason), exchange)
  },
})
