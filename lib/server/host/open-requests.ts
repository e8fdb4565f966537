/** Which request a connection is busy with: when the connection breaks, its answer carries that request's reference. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'

export type OpenRequest = {
  readonly incoming: IncomingMessage
  readonly outgoing: ServerResponse
  readonly referenceId: string
}

type Remembered = OpenRequest & { readonly isFirst: boolean }

const latest = new WeakMap<Duplex, Remembered>()

/** Called for every request as soon as its headers are read. */
export function rememberRequest(request: OpenRequest): void {
  const { socket } = request.incoming
  latest.set(socket, { ...request, isFirst: !latest.has(socket) })
}

/** Whether the headers of at least one request arrived on this connection. */
export function hasRequested(socket: Duplex): boolean {
  return latest.has(socket)
}

/** The request whose body is still arriving; `null` when the connection was between two requests. */
export function openRequest(socket: Duplex): Remembered | null {
  const request = latest.get(socket)
  return request === undefined || request.incoming.complete ? null : request
}
