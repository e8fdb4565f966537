import { jsonRoute } from '#app/routes.ts'
import { revoke } from '#lib/core/revocation/revocation.ts'
import { readClientRequest, respondToClient } from '#lib/http/respond-json.ts'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = jsonRoute('/connect/revocation', {
  endpoint: 'revocation',
  cors: true,
  POST: async ({ request, context, services }) =>
    respondToClient(await revoke(services.ports, await readClientRequest(request), context)),
})
