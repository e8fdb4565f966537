import { endpoint } from '#lib/http/endpoint.ts'
import { readValidationForm, readValidationQuery } from '#lib/http/read-validation-parameters.ts'
import { refuseWithMessage, respondValidation } from '#lib/http/respond-validation.ts'
import { services } from '#lib/server/services.ts'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoint(services, {
  pattern: '/connect/identitytokenvalidation',
  refuse: refuseWithMessage,
  cors: true,
  GET: async ({ request, context, services: s }) => {
    const parameters = readValidationQuery(request, s.config)
    return respondValidation(await s.validateIdentityToken({ parameters }, context))
  },
  POST: async ({ request, context, services: s }) => {
    const parameters = await readValidationForm(request)
    return respondValidation(await s.validateIdentityToken({ parameters }, context))
  },
})
