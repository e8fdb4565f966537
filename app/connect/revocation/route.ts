import { revoke } from '#lib/core/revocation/revocation.ts'
import { endpoint } from '#lib/http/endpoint.ts'
import { readClientRequest, refuseWithJson, respondToClient } from '#lib/http/respond-json.ts'
import { openServices } from '#lib/server/services.ts'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoint(openServices, {
  pattern: '/connect/revocation',
  endpoint: 'revocation',
  writeRefusal: refuseWithJson,
  cors: true,
  POST: async ({ request, context, services }) =>
    respondToClient(await revoke(services.ports, await readClientRequest(request), context)),
})
