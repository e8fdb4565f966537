import { bodyBytes } from '#lib/config/limits.ts'
import { userinfo } from '#lib/core/userinfo/userinfo.ts'
import { OauthError } from '#lib/errors/oauth-error.ts'
import { endpoint } from '#lib/http/endpoint.ts'
import { isForm, readForm, readQuery } from '#lib/http/read-params.ts'
import { refuseWithChallenge, respondUserinfo } from '#lib/http/respond-json.ts'
import { openServices } from '#lib/server/services.ts'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoint(openServices, {
  pattern: '/connect/userinfo',
  endpoint: 'userinfo',
  writeRefusal: refuseWithChallenge,
  cors: true,
  GET: async ({ request, context, services }) => {
    refuseTokenInQuery(request)
    const authorization = request.headers.get('authorization')
    return respondUserinfo(await userinfo(services.ports, { authorization, bodyToken: null }, context))
  },
  POST: async ({ request, context, services }) => {
    refuseTokenInQuery(request)
    const authorization = request.headers.get('authorization')
    // RFC 6750 2.2: only a form body can contain a token
    const form = isForm(request) ? await readForm(request, bodyBytes.token) : {}
    return respondUserinfo(
      await userinfo(services.ports, { authorization, bodyToken: form.access_token ?? null }, context),
    )
  },
})

/** OAuth 2.1 5.1: refuses a token in the address, which would end up in logs and histories. */
function refuseTokenInQuery(request: Request): void {
  if (readQuery(request).access_token === undefined) return
  throw new OauthError('token_in_query')
}
