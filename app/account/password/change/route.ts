import { hostedForm } from '#app/_ui/hosted-route.ts'
import { choiceProblemQuery } from '#app/_ui/new-password.tsx'
import { knownBrowserCookie, sessionCookie } from '#lib/http/cookies.ts'
import { readPasswordForm } from '#lib/http/read-params.ts'
import { seeOther } from '#lib/http/reply.ts'
import { changeOwnPassword } from '#lib/identity/own-password.ts'
import { currentSession } from '#lib/identity/session.ts'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = hostedForm(
  '/account/password/change',
  async ({ form: { current = '', password = '', again = '' }, cookies, context, services }) => {
    const { session: previous, knownBrowser } = cookies
    const session = await currentSession(services.ports, previous)
    if (session === null || previous === null) return seeOther('/login?back=%2Faccount%2Fpassword')
    const entered = { session, current, password, again, previous, knownBrowser }
    const outcome = await changeOwnPassword(services.ports, entered, context)
    if (outcome.kind === 'no_password') return seeOther('/account')
    if (outcome.kind === 'unfit') return seeOther(`/account/password?${choiceProblemQuery(outcome)}`)
    const { issuer } = services.config
    const known = outcome.knownBrowser === null ? [] : [knownBrowserCookie(outcome.knownBrowser, issuer)]
    return seeOther('/account?done=password', [sessionCookie(outcome, issuer), ...known])
  },
  readPasswordForm,
)
