import { keySet } from '#lib/core/discovery/discovery.ts'
import { endpoint } from '#lib/http/endpoint.ts'
import { jsonReply } from '#lib/http/reply.ts'
import { refuseWithJson } from '#lib/http/respond-json.ts'
import { readiness } from '#lib/server/readiness.ts'
import { openServices } from '#lib/server/services.ts'

/** Reports whether the node can take new requests. It names the part that is missing, but not the cause. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoint(openServices, {
  pattern: '/readyz',
  writeRefusal: refuseWithJson,
  GET: async ({ services }) => {
    const report = await readiness({ ping: services.ping, keySet: () => keySet(services.ports) })
    return jsonReply(
      report.status === 'ready' ? 200 : 503,
      report,
      report.status === 'ready' ? {} : { 'retry-after': '5' },
    )
  },
})
