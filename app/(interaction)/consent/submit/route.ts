import { OauthError } from '#lib/errors/oauth-error.ts'
import { endpoint } from '#lib/http/endpoint.ts'
import { refuseWithPage } from '#lib/http/error-page.ts'
import { readFormPairs, readParameters } from '#lib/http/read-params.ts'
import { seeOther } from '#lib/http/reply.ts'
import { continuation } from '#lib/http/respond-sign-in.ts'
import { requireSameOrigin } from '#lib/http/same-origin.ts'
import { type PendingHandle, parseHandle } from '#lib/protocol/ids.ts'
import { services } from '#lib/server/services.ts'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoint(services, {
  pattern: '/consent/submit',
  refuse: refuseWithPage,
  POST: async ({ request, cookies, context, services: s }) => {
    requireSameOrigin(request, s.config.issuer)
    const form = readParameters(await readFormPairs(request), { repeatable: ['scope'] })
    const scopes = form.all('scope')
    const pending = parseHandle('pending', form.one('pending'))
    const session = await s.currentSession(cookies.session)
    const remember = form.one('remember') !== null
    const answer = await s.answerConsent(
      {
        pending,
        browser: cookies.browser,
        session,
        shownSessionId: form.one('session'),
        decision: form.one('decision') === 'allow' ? 'allow' : 'deny',
        scopes,
        remember,
      },
      context,
    )
    if (answer === 'expired' && pending === null) throw new OauthError('consent_expired')
    // When it does not wait, too: only the authorization endpoint knows whether it expired or was answered
    if (answer === 'shown_to_another') return seeOther(`/consent?pending=${pending ?? ''}`)
    if (answer === 'nothing_selected') return seeOther(againWith({ pending, scopes, remember }))
    return seeOther(continuation(pending))
  },
})

type Left = {
  readonly pending: PendingHandle | null
  readonly scopes: readonly string[]
  readonly remember: boolean
}

/** The page again, with the boxes as they were left. */
function againWith({ pending, scopes, remember }: Left): string {
  const boxes = new URLSearchParams({ ticked: scopes.join(' '), remember: remember ? 'on' : 'off' })
  return `/consent?pending=${pending ?? ''}&error=nothing_selected&${boxes}`
}
