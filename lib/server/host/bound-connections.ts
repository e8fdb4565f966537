/** How many connections there are at once, and how long one may take to send its first request (LIM-02). */
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { server as limits } from '#lib/config/limits.ts'
import { hasRequested, openRequest } from './open-requests.ts'

/** In one process; a slow connection takes about 25 kB. */
export const maxConnections = 5000

/**
 * NOTE: Node counts `headersTimeout` and `requestTimeout` from the first byte of a request, so a connection that waits
 * before this byte would get the time twice. Here the first request is timed from the connection.
 */
export function boundConnections(server: Server): void {
  server.maxConnections = maxConnections
  // A new connection is worth more than one that waits for its next request
  server.on('drop', () => server.closeIdleConnections())
  server.on('connection', socket => {
    const expire = () => server.emit('clientError', timeoutError(), socket)
    setDeadline(socket, limits.headersTimeoutMs, () => !hasRequested(socket) && expire())
    setDeadline(socket, limits.requestTimeoutMs, () => openRequest(socket)?.isFirst && expire())
  })
}

function setDeadline(socket: Socket, afterMs: number, check: () => void): void {
  const deadline = setTimeout(check, afterMs).unref()
  socket.once('close', () => clearTimeout(deadline))
}

/** The error that Node reports when its own time limits end. */
function timeoutError(): NodeJS.ErrnoException {
  return Object.assign(new Error('Request timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })
}
