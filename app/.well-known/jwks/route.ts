import { keySet } from '#lib/core/discovery/discovery.ts'
import { endpoint } from '#lib/http/endpoint.ts'
import { metadataHandler, refuseWithJson } from '#lib/http/respond-json.ts'
import { openServices } from '#lib/server/services.ts'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoint(openServices, {
  pattern: '/.well-known/jwks',
  endpoint: 'discovery',
  writeRefusal: refuseWithJson,
  cors: true,
  GET: metadataHandler({
    basis: ({ ports }) => ports.signer.publicKeys(),
    write: ({ ports }) => keySet(ports),
  }),
})
