import { validateIdentityToken } from '#lib/core/validation/validation.ts'
import { endpoint } from '#lib/http/endpoint.ts'
import { validationEndpoint } from '#lib/http/respond-json.ts'
import { openServices, type Services } from '#lib/server/services.ts'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoint(openServices, {
  pattern: '/connect/identitytokenvalidation',
  endpoint: 'identitytokenvalidation',
  cors: true,
  ...validationEndpoint<Services>(
    services => (input, context) => validateIdentityToken(services.ports, input, context),
  ),
})
