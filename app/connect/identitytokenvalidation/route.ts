import { endpoint } from '#lib/http/endpoint.ts'
import { validationEndpoint } from '#lib/http/respond-json.ts'
import { type Services, services } from '#lib/server/services.ts'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoint(services, {
  pattern: '/connect/identitytokenvalidation',
  cors: true,
  ...validationEndpoint<Services>(s => s.validateIdentityToken),
})
