import { hostedFormOf, readPermissionForm } from '#app/_ui/hosted-route.ts'
import { answerConsent } from '#lib/core/consent/consent.ts'
import { OauthError } from '#lib/errors/oauth-error.ts'
import { seeOther } from '#lib/http/reply.ts'
import { continuation } from '#lib/http/respond-sign-in.ts'
import { currentSession } from '#lib/identity/session.ts'
import { parseHandle } from '#lib/protocol/ids.ts'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = hostedFormOf(
  '/consent/submit',
  async ({ form, cookies, context, services }) => {
    const scopes = form.all('scope')
    const pending = parseHandle('pending', form.one('pending'))
    const remember = form.one('remember') !== null
    const answer = await answerConsent(
      services.pendingPorts(),
      {
        pending,
        browser: cookies.browser,
        session: await currentSession(services.ports, cookies.session),
        shownSessionId: form.one('session'),
        decision: form.one('decision') === 'allow' ? 'allow' : 'deny',
        scopes,
        remember,
      },
      context,
    )
    if (answer === 'expired' && pending === null) throw new OauthError('consent_expired')
    const page = `/consent?pending=${pending ?? ''}`
    if (answer === 'shown_to_another') return seeOther(page)
    if (answer === 'nothing_selected') {
      const ticked = new URLSearchParams({ ticked: scopes.join(' '), remember: remember ? 'on' : 'off' })
      return seeOther(`${page}&error=nothing_selected&${ticked}`)
    }
    // Also when it is not pending: only the authorization endpoint knows whether it expired or was answered
    return seeOther(continuation(pending))
  },
  readPermissionForm,
)
