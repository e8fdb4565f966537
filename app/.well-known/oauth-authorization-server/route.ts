import { jsonRoute } from '#app/routes.ts'
import { discovery } from '#lib/core/discovery/discovery.ts'
import { metadataHandler } from '#lib/http/respond-json.ts'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = jsonRoute(
  '/.well-known/oauth-authorization-server',
  {
    endpoint: 'discovery',
    cors: true,
    GET: metadataHandler({
      basis: ({ ports }) => ports.scopes.all(),
      write: ({ ports }) => discovery(ports, 'oauth'),
    }),
  },
)
