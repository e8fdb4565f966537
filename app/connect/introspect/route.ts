import { endpoint } from '#lib/http/endpoint.ts'
import { readClientRequest, refuseWithJson, respondIntrospection } from '#lib/http/respond-json.ts'
import { services } from '#lib/server/services.ts'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoint(services, {
  pattern: '/connect/introspect',
  refuse: refuseWithJson,
  POST: async ({ request, context, services: s }) =>
    respondIntrospection(await s.introspect(await readClientRequest(request), context)),
})
