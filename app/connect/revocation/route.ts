import { endpoint } from '#lib/http/endpoint.ts'
import { readClientRequest, refuseWithJson, respondRevocation } from '#lib/http/respond-json.ts'
import { services } from '#lib/server/services.ts'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoint(services, {
  pattern: '/connect/revocation',
  refuse: refuseWithJson,
  cors: true,
  POST: async ({ request, context, services: s }) =>
    respondRevocation(await s.revoke(await readClientRequest(request), context)),
})
