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
    const query = readQuery(request)
    const partial = parseHandle('partial', query.partial)
    const input = { partial, browser, previous }
    const answer = await completePartialSignIn(services.pendingPorts(), input, context)
    const back = readBack(request.headers.get('cookie'), services.config.issuer)
    // A sign-in that was continued already leads to its pending request
    const pending = answer.pending ?? parseHandle('pending', query.pending)
    return respondSignIn(answer, exchange, { pending, username: null, back })
  },
})
