import { answerTokenRequest } from '#lib/core/token/token.ts'
import { endpoint } from '#lib/http/endpoint.ts'
import { readClientRequest, refuseWithJson, respondToClient } from '#lib/http/respond-json.ts'
import { openServices } from '#lib/server/services.ts'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoint(openServices, {
  pattern: '/connect/token',
  endpoint: 'token',
  writeRefusal: refuseWithJson,
  refusalEvent: 'token_refused',
  cors: true,
  POST: async ({ request, context, services }) =>
    respondToClient(await answerTokenRequest(services.ports, await readClientRequest(request), context)),
})
