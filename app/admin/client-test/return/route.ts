import { pageRoute } from '#app/routes.ts'
import { currentAdminSession } from '#lib/admin/access/admin-session.ts'
import { finishClientTest } from '#lib/admin/clients/client-test/finish-client-test.ts'
import { OauthError } from '#lib/errors/oauth-error.ts'
import type { Exchange } from '#lib/http/exchange.ts'
import { landingReply } from '#lib/http/page-frame.ts'
import { readForm, readQuery } from '#lib/http/read-params.ts'
import { type Reply, seeOther } from '#lib/http/reply.ts'
import { requireSameOrigin } from '#lib/http/same-origin.ts'
import type { Services } from '#lib/server/services.ts'
import { formOf, respondToForm } from '../../do/posted-form.ts'

type Parameters = Readonly<Record<string, string>>

/** Receives the authorization responses of client tests, by GET or by form post. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = pageRoute('/admin/client-test/return', {
  getChangesState: true,
  GET: exchange => finish(exchange, readQuery(exchange.request)),
  POST: async exchange => {
    requireSameOrigin(exchange.request, exchange.services.config.issuer)
    return finish(exchange, await readForm(exchange.request))
  },
})

async function finish(exchange: Exchange<Services>, parameters: Parameters): Promise<Reply> {
  const { cookies, context, services } = exchange
  const signedIn = await currentAdminSession(services.admin, cookies)
  if (signedIn === null) return withoutSession(exchange, parameters)
  const result = await finishClientTest.call(services.admin, { parameters }, { ...signedIn, context })
  if (result.kind !== 'ok' && result.kind !== 'denied') throw new OauthError('client_test_over')
  const form = formOf('/admin/clients/{client_id}/test')
  const { session } = signedIn
  return seeOther(await respondToForm(services.admin, { session, useCase: finishClientTest, form, result }))
}

/**
 * Loads this address again from a page of this site, because browsers do not send a Strict cookie after a redirect from an
 * identity provider. If that request has no session either, or after a form post, it redirects to the sign-in.
 */
function withoutSession(exchange: Exchange<Services>, parameters: Parameters): Reply {
  const { request } = exchange
  if (request.method !== 'GET' || parameters.landed !== undefined) return seeOther('/admin/sign-in')
  const query = new URLSearchParams({ ...parameters, landed: 'yes' })
  return landingReply(exchange, `/admin/client-test/return?${query}`)
}
