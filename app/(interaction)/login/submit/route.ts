import { endpoint } from '#lib/http/endpoint.ts'
import { refuseWithPage } from '#lib/http/error-page.ts'
import { readPasswordForm } from '#lib/http/read-params.ts'
import { seeOther } from '#lib/http/reply.ts'
import { loginAgain, respondSignIn } from '#lib/http/respond-sign-in.ts'
import { requireSameOrigin } from '#lib/http/same-origin.ts'
import { backPath, longestUsername } from '#lib/http/step-cookies.ts'
import { parseHandle } from '#lib/protocol/ids.ts'
import { services } from '#lib/server/services.ts'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoint(services, {
  pattern: '/login/submit',
  refuse: refuseWithPage,
  POST: async exchange => {
    const { request, cookies, context, services: s } = exchange
    requireSameOrigin(request, s.config.issuer)
    const { username = '', password = '', remember, ...form } = await readPasswordForm(request)
    const pending = parseHandle('pending', form.pending)
    const back = backPath(form.back)
    if (username.trim() === '' || password === '') {
      return seeOther(loginAgain({ pending, back }, { why: 'missing', retryAfterSeconds: 0 }))
    }
    // No user name is that long
    if (username.length > longestUsername) {
      return seeOther(loginAgain({ pending, back }, { why: 'credentials', retryAfterSeconds: 0 }))
    }
    const { browser, session: previous, device } = cookies
    const interaction = await s.findPending(pending, browser)
    const input = {
      username,
      password,
      remember: remember !== undefined,
      pending,
      interaction,
      browser,
      previous,
      device,
    }
    return respondSignIn(await s.signIn(input, context), exchange, { pending, username, back })
  },
})
