/** The port only for metrics. It has no other address, and no limit that requests of users would notice. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Config } from '#lib/config/env.ts'
import { metrics as limits } from '#lib/config/limits.ts'
import type { ReadMetrics } from '#lib/metrics/prometheus-text.ts'
import { bind } from '../start/address.ts'
import { isBearer } from '../wiring/bearer.ts'

/**
 * Listens at the port for metrics; returns `null` if no port is set.
 * @throws ConfigError when the address or the port is not available
 */
export async function listenForMetrics(
  { listen, token }: NonNullable<Config['metrics']>,
  read: ReadMetrics,
): Promise<Server | null> {
  if (listen === null) return null
  const server = createServer({ requestTimeout: limits.requestMs, headersTimeout: limits.requestMs })
  server.maxConnections = limits.connections
  server.on('request', (incoming, outgoing) => {
    const isAllowed = token === null || isBearer(token, incoming.headers.authorization ?? null)
    if (!isAllowed || !isForMetrics(incoming)) return answer(outgoing, 404, 'Not found\n')
    read(incoming.headers.accept ?? null).then(
      ({ text, contentType }) => answer(outgoing, 200, text, contentType),
      () => answer(outgoing, 503, 'Not available\n'),
    )
  })
  await bind(server, listen)
  return server
}

function isForMetrics({ method, url = '' }: IncomingMessage): boolean {
  return (method === 'GET' || method === 'HEAD') && /^\/metrics(\?|$)/.test(url)
}

function answer(
  outgoing: ServerResponse,
  status: number,
  text: string,
  contentType = 'text/plain; charset=utf-8',
): void {
  outgoing.writeHead(status, {
    'content-type': contentType,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  })
  outgoing.end(text)
}
