/** Which request a connection is busy with: when the connection breaks, its answer carries that request's reference. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'

export type OpenRequest = {
  readonly incoming: IncomingMessage
  readonly outgoing: ServerResponse
  readonly referenceId: string
}

const latest = new WeakMap<Duplex, OpenRequest>()

export function rememberRequest(request: OpenRequest): void {
  latest.set(request.incoming.socket, request)
}

/** The request whose body is still arriving; `null` when the connection was between two requests. */
export function openRequest(socket: Duplex): OpenRequest | null {
  const request = latest.get(socket)
  return request === undefined || request.incoming.complete ? null : request
}
