import { endpoint } from '#lib/http/endpoint.ts'
import { metadataReply, refuseWithJson } from '#lib/http/respond-json.ts'
import { services } from '#lib/server/services.ts'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoint(services, {
  pattern: '/.well-known/openid-configuration',
  refuse: refuseWithJson,
  cors: true,
  GET: async ({ services: s }) => metadataReply(await s.discovery('openid')),
})
