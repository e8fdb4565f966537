import { deviceCookie, sessionCookie } from '#lib/http/cookies.ts'
import { endpoint } from '#lib/http/endpoint.ts'
import { refuseWithPage } from '#lib/http/error-page.ts'
import { encodeForm, readPasswordForm } from '#lib/http/read-params.ts'
import { seeOther } from '#lib/http/reply.ts'
import { requireSameOrigin } from '#lib/http/same-origin.ts'
import { services } from '#lib/server/services.ts'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoint(services, {
  pattern: '/account/password/change',
  refuse: refuseWithPage,
  POST: async ({ request, cookies, context, services: s }) => {
    requireSameOrigin(request, s.config.issuer)
    const { current = '', password = '', again = '' } = await readPasswordForm(request)
    const { session: previous, device } = cookies
    const session = await s.currentSession(previous)
    if (session === null || previous === null) return seeOther('/login?back=%2Faccount%2Fpassword')
    const outcome = await s.changeOwnPassword(
      { session, current, password, again, previous, device },
      context,
    )
    if (outcome.kind === 'no_password') return seeOther('/account')
    if (outcome.kind === 'unfit') {
      const { why, retryAfterSeconds: wait } = outcome
      const waiting = wait > 0 ? [['wait', String(Math.ceil(wait))] as const] : []
      return seeOther(`/account/password?${encodeForm([['error', why], ...waiting])}`)
    }
    const { issuer } = s.config
    const known = outcome.device === null ? [] : [deviceCookie(outcome.device, issuer)]
    return seeOther('/account?done=password', [sessionCookie(outcome, issuer), ...known])
  },
})
