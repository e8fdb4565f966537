import { introspect } from '#lib/core/introspection/introspection.ts'
import { endpoint } from '#lib/http/endpoint.ts'
import { readClientRequest, refuseWithJson, respondToClient } from '#lib/http/respond-json.ts'
import { openServices } from '#lib/server/services.ts'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoint(openServices, {
  pattern: '/connect/introspect',
  endpoint: 'introspect',
  writeRefusal: refuseWithJson,
  POST: async ({ request, context, services }) =>
    respondToClient(await introspect(services.ports, await readClientRequest(request), context)),
})
