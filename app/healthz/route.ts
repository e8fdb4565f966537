import { jsonRoute } from '#app/routes.ts'
import { jsonReply } from '#lib/http/reply.ts'
import { workersOfNode } from '#lib/server/readiness.ts'

/** Reports that a worker of this node answers. Whether the node can work is reported by `/readyz`. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = jsonRoute('/healthz', {
  GET: () => jsonReply(200, { status: 'ok', workers: workersOfNode() }),
})
