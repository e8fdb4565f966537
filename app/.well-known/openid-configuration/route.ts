import { discovery } from '#lib/core/discovery/discovery.ts'
import { endpoint } from '#lib/http/endpoint.ts'
import { metadataHandler, refuseWithJson } from '#lib/http/respond-json.ts'
import { openServices } from '#lib/server/services.ts'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoint(openServices, {
  pattern: '/.well-known/openid-configuration',
  endpoint: 'discovery',
  writeRefusal: refuseWithJson,
  cors: true,
  GET: metadataHandler({
    basis: ({ ports }) => ports.scopes.all(),
    write: ({ ports }) => discovery(ports, 'openid'),
  }),
})
