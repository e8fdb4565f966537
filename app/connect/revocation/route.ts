import { bodyBytes } from '#lib/config/limits.ts'
import { endpoint } from '#lib/http/endpoint.ts'
import { readFormParameters } from '#lib/http/read-params.ts'
import { refuseWithJson, respondRevocation } from '#lib/http/respond-token.ts'
import { services } from '#lib/server/services.ts'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoint(services, {
  pattern: '/connect/revocation',
  refuse: refuseWithJson,
  cors: true,
  POST: async ({ request, context, services: s }) => {
    const parameters = await readFormParameters(request, bodyBytes.token)
    const authorization = request.headers.get('authorization')
    return respondRevocation(await s.revoke({ parameters, authorization }, context))
  },
})
