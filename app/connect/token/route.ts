import { endpoint } from '#lib/http/endpoint.ts'
import { readClientRequest, refuseWithJson, respondToken } from '#lib/http/respond-json.ts'
import { services } from '#lib/server/services.ts'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoint(services, {
  pattern: '/connect/token',
  refuse: refuseWithJson,
  refusal: 'token_refused',
  cors: true,
  POST: async ({ request, context, services: s }) =>
    respondToken(await s.token(await readClientRequest(request), context)),
})
