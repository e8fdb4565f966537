import { jsonRoute } from '#app/routes.ts'
import { introspect } from '#lib/core/introspection/introspection.ts'
import { readClientRequest, respondToClient } from '#lib/http/respond-json.ts'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = jsonRoute('/connect/introspect', {
  endpoint: 'introspect',
  POST: async ({ request, context, services }) =>
    respondToClient(await introspect(services.ports, await readClientRequest(request), context)),
})
