/** Leads a signed-in user to the factor that the request requires in addition. */
import { pageRoute } from '#app/routes.ts'
import { cancelRequest } from '#lib/core/authorize/resume.ts'
import { respondAuthorize } from '#lib/http/authorize.ts'
import { readQuery } from '#lib/http/read-params.ts'
import { seeOther } from '#lib/http/reply.ts'
import { continuation, respondSignIn } from '#lib/http/respond-sign-in.ts'
import { beginStepUp } from '#lib/identity/step-up.ts'
import { parseHandle } from '#lib/protocol/ids.ts'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = pageRoute('/login/step-up', {
  getChangesState: true,
  GET: async exchange => {
    const { request, cookies, context, services } = exchange
    const pending = parseHandle('pending', readQuery(request).pending)
    const { browser, session, sessions } = cookies
    const ports = services.pendingPorts()
    const outcome = await beginStepUp(ports, { pending, browser, session, sessions }, context)
    switch (outcome.kind) {
      case 'resume':
        return seeOther(continuation(pending))
      case 'unreachable': {
        const ended = { pending, browser, reason: 'assurance_unreachable' } as const
        return respondAuthorize(await cancelRequest(ports, ended, context), exchange, browser)
      }
      default:
        return respondSignIn(outcome, exchange, { pending, username: null, back: null })
    }
  },
})
