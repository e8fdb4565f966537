import { jsonRoute } from '#app/routes.ts'
import { keySet } from '#lib/core/discovery/discovery.ts'
import { jsonReply } from '#lib/http/reply.ts'
import { readiness } from '#lib/server/readiness.ts'

/** Reports whether the node can take new requests. The response names the checks that failed, but not the cause. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = jsonRoute('/readyz', {
  GET: async ({ services }) => {
    const report = await readiness({ ping: services.ping, keySet: () => keySet(services.ports) })
    return jsonReply(
      report.status === 'ready' ? 200 : 503,
      report,
      report.status === 'ready' ? {} : { 'retry-after': '5' },
    )
  },
})
