import { hostedForm } from '#app/_ui/hosted-route.ts'
import { chooseAccount } from '#lib/core/authorize/resume.ts'
import { OauthError } from '#lib/errors/oauth-error.ts'
import { seeOther } from '#lib/http/reply.ts'
import { continuation } from '#lib/http/respond-sign-in.ts'
import { currentSession } from '#lib/identity/session.ts'
import { parseHandle } from '#lib/protocol/ids.ts'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = hostedForm(
  '/select-account/submit',
  async ({ form, cookies, services }) => {
    const pending = parseHandle('pending', form.pending)
    const session = await currentSession(services.ports, cookies.session)
    const choice = form.choice === 'current' ? 'current' : 'other'
    const next = await chooseAccount(services.pendingPorts(), {
      pending,
      browser: cookies.browser,
      session,
      choice,
    })
    if (next === 'expired' && pending === null) throw new OauthError('choice_expired')
    return seeOther(
      next === 'sign_in' ? `/login?pending=${pending ?? ''}&account=other` : continuation(pending),
    )
  },
)
