/** Our HTTP server before anybody answers: its limits, and the answers to what is no request. */
import { createServer, type Server } from 'node:http'
import { server as limits } from '#lib/config/limits.ts'
import { boundConnections } from './bound-connections.ts'
import type { Listener } from './direct-routes.ts'
import { type BrokenHost, refuseBroken } from './refuse-broken.ts'

const options = {
  requestTimeout: limits.requestTimeoutMs,
  headersTimeout: limits.headersTimeoutMs,
  keepAliveTimeout: limits.keepAliveTimeoutMs,
  maxHeaderSize: limits.maxHeaderBytes,
  connectionsCheckingInterval: 250,
  // Ours to refuse, with our headers
  requireHostHeader: false,
} as const

/** NOTE: Next hangs its upgrade handler on the server it is given or meets; only hot reload needs one (FW-06). */
export function createHttpServer(host: BrokenHost, isDevelopment: boolean): Server {
  const server = createServer({ ...options, shouldUpgradeCallback: () => isDevelopment })
  refuseBroken(server, host)
  // Hot reload keeps its connections without a request of ours
  if (!isDevelopment) boundConnections(server)
  return server
}

export function serve(server: Server, listener: Listener): void {
  // Node itself would answer an odd `Expect` with a bare 417
  for (const event of ['request', 'checkExpectation'] as const) server.on(event, listener)
}
