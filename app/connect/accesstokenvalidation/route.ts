import { bodyBytes } from '#lib/config/limits.ts'
import { endpoint } from '#lib/http/endpoint.ts'
import { readForm } from '#lib/http/read-params.ts'
import { readValidationQuery } from '#lib/http/read-validation-query.ts'
import { refuseWithMessage, respondValidation } from '#lib/http/respond-validation.ts'
import { services } from '#lib/server/services.ts'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoint(services, {
  pattern: '/connect/accesstokenvalidation',
  refuse: refuseWithMessage,
  GET: async ({ request, context, services: s }) => {
    const parameters = readValidationQuery(request, s.config)
    return respondValidation(await s.validateAccessToken({ parameters }, context))
  },
  POST: async ({ request, context, services: s }) => {
    const parameters = await readForm(request, bodyBytes.token)
    return respondValidation(await s.validateAccessToken({ parameters }, context))
  },
})
