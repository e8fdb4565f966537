import { pageRoute } from '#app/routes.ts'
import { hookHeaders, respondRefused } from '#lib/http/authorize.ts'
import type { Exchange } from '#lib/http/exchange.ts'
import { readQuery } from '#lib/http/read-params.ts'
import { seeOther } from '#lib/http/reply.ts'
import { continuation, respondSignIn } from '#lib/http/respond-sign-in.ts'
import { readBack } from '#lib/http/step-cookies.ts'
import { readNewCodes } from '#lib/http/two-step-cookie.ts'
import { completePartialSignIn } from '#lib/identity/partial-sign-in.ts'
import { returnToPreAuthenticate } from '#lib/identity/pre-authenticate.ts'
import type { ReturningSignInOutcome } from '#lib/identity/sign-in-outcome.ts'
import { parseHandle } from '#lib/protocol/ids.ts'
import type { Services } from '#lib/server/services.ts'
import { placeOfCodes } from '../enroll/place-of-codes.ts'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = pageRoute('/login/return', {
  getChangesState: true,
  GET: async exchange => {
    const { request, cookies, context, services } = exchange
    const { browser, sessions: previous } = cookies
    const query = readQuery(request)
    const partial = parseHandle('partial', query.partial)
    const input = { partial, browser, previous }
    const ports = services.pendingPorts()
    const hooked = await returnToPreAuthenticate(ports, { ...hookHeaders(request), ...input }, context)
    if (hooked?.kind === 'continued') return seeOther(continuation(hooked.pending))
    if (hooked?.kind === 'refused') return respondRefused(hooked.page, hooked.message, exchange)
    const answer =
      hooked === null
        ? await completePartialSignIn(ports, input, context)
        : { ...hooked.outcome, pending: hooked.pending }
    const back = readBack(request.headers.get('cookie'), services.config.issuer)
    // If the sign-in has expired or was continued before, only the query names the pending request
    const pending = answer.pending ?? parseHandle('pending', query.pending)
    const place = hasNewCodes(answer, exchange) ? placeOfCodes(pending) : { pending, back }
    return respondSignIn(answer, exchange, { ...place, username: null })
  },
})

/** Whether the user has set up an authenticator app before the step that ends now, and has not seen its recovery codes. */
function hasNewCodes(answer: ReturningSignInOutcome, { request, services }: Exchange<Services>): boolean {
  const { subject } = (answer.kind === 'signed_in' ? answer.begun : undefined) ?? {}
  if (subject === undefined) return false
  const owner = { subject, issuer: services.config.issuer }
  return readNewCodes(services.sealing, request.headers.get('cookie'), owner) !== null
}
