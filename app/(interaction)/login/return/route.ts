import { hostedRoute } from '#app/_ui/hosted-route.ts'
import { readQuery } from '#lib/http/read-params.ts'
import { respondSignIn } from '#lib/http/respond-sign-in.ts'
import { readBack } from '#lib/http/step-cookies.ts'
import { completePartialSignIn } from '#lib/identity/partial-sign-in.ts'
import { parseHandle } from '#lib/protocol/ids.ts'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = hostedRoute('/login/return', {
  getChangesState: true,
  GET: async exchange => {
    const { request, cookies, context, services } = exchange
    const { browser, session: previous } = cookies
    const partial = parseHandle('partial', readQuery(request).partial)
    const input = { partial, browser, previous }
    const answer = await completePartialSignIn(services.pendingPorts(), input, context)
    const back = readBack(request.headers.get('cookie'), services.config.issuer)
    return respondSignIn(answer, exchange, { pending: answer.pending, username: null, back })
  },
})
