import { jsonRoute } from '#app/routes.ts'
import { answerTokenRequest } from '#lib/core/token/token.ts'
import { readClientRequest, respondToClient } from '#lib/http/respond-json.ts'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = jsonRoute('/connect/token', {
  endpoint: 'token',
  refusalEvent: 'token_refused',
  cors: true,
  POST: async ({ request, context, services }) =>
    respondToClient(await answerTokenRequest(services.ports, await readClientRequest(request), context)),
})
