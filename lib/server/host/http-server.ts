/** The HTTP server: its limits, and the responses to invalid requests. */
import { createServer, type Server } from 'node:http'
import type { Socket } from 'node:net'
import { server as limits, maxConnections } from '#lib/config/limits.ts'
import { type NodeShare, shareOf } from '#lib/config/node-share.ts'
import type { Log } from '#lib/events/log.ts'
import type { Listener } from './direct-routes.ts'
import { type BrokenHost, hasRequested, openRequest, refuseBroken, timeoutCode } from './refuse-broken.ts'

const options = {
  requestTimeout: limits.requestTimeoutMs,
  headersTimeout: limits.headersTimeoutMs,
  keepAliveTimeout: limits.keepAliveTimeoutMs,
  maxHeaderSize: limits.maxHeaderBytes,
  connectionsCheckingInterval: 250,
  // Missing headers are refused later, with security headers
  requireHostHeader: false,
} as const

type HttpHost = BrokenHost & {
  readonly log: Pick<Log, 'write'>
  readonly share?: Pick<NodeShare, 'workers'>
}

/** Creates the server. NOTE: Next adds an upgrade handler to it; only hot reload needs one (FW-06). */
export function createHttpServer(host: HttpHost, isDevelopment: boolean): Server {
  const server = createServer({ ...options, shouldUpgradeCallback: () => isDevelopment })
  refuseBroken(server, host)
  // The connections of hot reload send no requests
  if (!isDevelopment) limitConnections(server, shareOf(maxConnections, host.share ?? { workers: 1 }))
  reportDropped(server, host)
  return server
}

/**
 * Creates a server for each of `count` addresses. Together they have as many connections as one server could have.
 * NOTE: a server of Node listens at only one address.
 */
export function createHttpServers(
  count: number,
  host: HttpHost,
  isDevelopment: boolean,
): readonly [Server, ...Server[]] {
  const create = () => createHttpServer(host, isDevelopment)
  const servers = [create(), ...Array.from({ length: count - 1 }, create)] as const
  if (servers.length > 1 && !isDevelopment) shareConnections(servers)
  return servers
}

/** Lowers the limit of each server by the connections of the others. */
function shareConnections(servers: readonly Server[]): void {
  const most = servers[0]?.maxConnections ?? 0
  const open = servers.map(() => 0)
  const count = (at: number, change: 1 | -1) => {
    open[at] = (open[at] ?? 0) + change
    const all = open.reduce((sum, each) => sum + each, 0)
    for (const [index, server] of servers.entries())
      server.maxConnections = Math.max(0, most - all + (open[index] ?? 0))
  }
  for (const [at, server] of servers.entries()) {
    server.on('connection', socket => {
      count(at, 1)
      socket.once('close', () => count(at, -1))
    })
  }
}

export function serve(server: Server, listener: Listener): void {
  // Without a listener Node answers an unknown `Expect` with a bare 417
  for (const event of ['request', 'checkExpectation'] as const) server.on(event, listener)
}

/**
 * LIM-02: limits the number of connections and the time of the first request. NOTE: Node counts `headersTimeout` and
 * `requestTimeout` from the first byte of a request, so a connection that waits before this byte would get the time
 * twice. These deadlines begin with the connection.
 */
function limitConnections(server: Server, most: number): void {
  server.maxConnections = most
  // Without this, full workers would pass a connection from one to the next in an endless loop
  Object.assign(server, { dropMaxConnection: true })
  // A new connection is more useful than one that waits for its next request
  server.on('drop', () => server.closeIdleConnections())
  server.on('connection', socket => {
    const expire = () => server.emit('clientError', timeoutError(), socket)
    setDeadline(socket, limits.headersTimeoutMs, () => !hasRequested(socket) && expire())
    setDeadline(socket, limits.requestTimeoutMs, () => openRequest(socket)?.isFirst && expire())
  })
}

/** Logs how many connections were closed at the limit, at most once a minute, and when the server closes. */
function reportDropped(server: Server, { log }: HttpHost): void {
  let dropped = 0
  const report = () => {
    if (dropped === 0) return
    log.write('warn', 'connections_dropped', { count: dropped, limit: server.maxConnections })
    dropped = 0
  }
  server.on('drop', () => {
    if (dropped === 0) setTimeout(report, limits.reportDroppedMs).unref()
    dropped += 1
  })
  server.on('close', report)
}

function setDeadline(socket: Socket, afterMs: number, check: () => void): void {
  const deadline = setTimeout(check, afterMs).unref()
  socket.once('close', () => clearTimeout(deadline))
}

/** Makes the error that Node reports when its own time limits end. */
function timeoutError(): NodeJS.ErrnoException {
  return Object.assign(new Error('Request timeout'), { code: timeoutCode })
}
