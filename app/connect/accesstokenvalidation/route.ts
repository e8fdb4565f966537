import { bodyBytes, validationQueryCharacters } from '#lib/config/limits.ts'
import { OauthError } from '#lib/errors/oauth-error.ts'
import { endpoint } from '#lib/http/endpoint.ts'
import { readForm, readQuery } from '#lib/http/read-params.ts'
import { refuseWithMessage, respondValidation } from '#lib/http/respond-validation.ts'
import { services } from '#lib/server/services.ts'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoint(services, {
  pattern: '/connect/accesstokenvalidation',
  refuse: refuseWithMessage,
  GET: async ({ request, context, services: s }) => {
    if (!s.config.allowTokenInQuery) throw new OauthError('method_not_allowed', 'token_in_query')
    const parameters = readQuery(request, validationQueryCharacters)
    return respondValidation(await s.validateAccessToken({ parameters }, context))
  },
  POST: async ({ request, context, services: s }) => {
    const parameters = await readForm(request, bodyBytes.token)
    return respondValidation(await s.validateAccessToken({ parameters }, context))
  },
})
