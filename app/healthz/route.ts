import { endpoint } from '#lib/http/endpoint.ts'
import { jsonReply } from '#lib/http/reply.ts'
import { refuseWithJson } from '#lib/http/respond-json.ts'
import { workersOfNode } from '#lib/server/readiness.ts'
import { openServices } from '#lib/server/services.ts'

/** Reports that a worker of this node answers. Whether the node can work is reported by `/readyz`. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoint(openServices, {
  pattern: '/healthz',
  writeRefusal: refuseWithJson,
  GET: () => jsonReply(200, { status: 'ok', workers: workersOfNode() }),
})
