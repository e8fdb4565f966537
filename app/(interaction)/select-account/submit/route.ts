import { OauthError } from '#lib/errors/oauth-error.ts'
import { endpoint } from '#lib/http/endpoint.ts'
import { refuseWithPage } from '#lib/http/error-page.ts'
import { readForm } from '#lib/http/read-params.ts'
import { seeOther } from '#lib/http/reply.ts'
import { continuation } from '#lib/http/respond-sign-in.ts'
import { requireSameOrigin } from '#lib/http/same-origin.ts'
import { parseHandle } from '#lib/protocol/ids.ts'
import { services } from '#lib/server/services.ts'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoint(services, {
  pattern: '/select-account/submit',
  refuse: refuseWithPage,
  POST: async ({ request, cookies, context, services: s }) => {
    requireSameOrigin(request, s.config.issuer)
    const form = await readForm(request)
    const pending = parseHandle('pending', form.pending)
    const session = await s.currentSession(cookies.session)
    const choice = form.choice === 'current' ? 'current' : 'other'
    const next = await s.chooseAccount({ pending, browser: cookies.browser, session, choice }, context)
    if (next === 'expired' && pending === null) throw new OauthError('choice_expired')
    return seeOther(
      next === 'sign_in' ? `/login?pending=${pending ?? ''}&account=other` : continuation(pending),
    )
  },
})
