import { jsonRoute } from '#app/routes.ts'
import { keySet } from '#lib/core/discovery/discovery.ts'
import { metadataHandler } from '#lib/http/respond-json.ts'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = jsonRoute('/.well-known/jwks', {
  endpoint: 'discovery',
  cors: true,
  GET: metadataHandler({
    basis: ({ ports }) => ports.signer.publicKeys(),
    write: ({ ports }) => keySet(ports),
  }),
})
