import { endpoint } from '#lib/http/endpoint.ts'
import { refuseWithPage } from '#lib/http/error-page.ts'
import { encodeForm, readPasswordForm } from '#lib/http/read-params.ts'
import { seeOther } from '#lib/http/reply.ts'
import { respondSignIn } from '#lib/http/respond-sign-in.ts'
import { requireSameOrigin } from '#lib/http/same-origin.ts'
import { readBack } from '#lib/http/step-cookies.ts'
import { parseHandle } from '#lib/protocol/ids.ts'
import { newPasswordPath } from '#lib/protocol/wire/local-paths.ts'
import { services } from '#lib/server/services.ts'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoint(services, {
  pattern: '/login/new-password/submit',
  refuse: refuseWithPage,
  POST: async exchange => {
    const { request, cookies, context, services: s } = exchange
    requireSameOrigin(request, s.config.issuer)
    const { partial: given = '', password = '', again = '' } = await readPasswordForm(request)
    const { browser, session: previous, device } = cookies
    const partial = parseHandle('partial', given)
    const proof = { partial, browser, findInteraction: s.findPending }
    const answer = await s.chooseNewPassword({ ...proof, password, again, previous, device }, context)
    if (answer.kind === 'unfit') {
      const { why, retryAfterSeconds: wait } = answer
      const waiting = wait > 0 ? [['wait', String(Math.ceil(wait))] as const] : []
      return seeOther(`${newPasswordPath}?${encodeForm([['partial', given], ['error', why], ...waiting])}`)
    }
    const back = readBack(request.headers.get('cookie'), s.config.issuer)
    return respondSignIn(answer, exchange, { pending: answer.pending, username: null, back })
  },
})
