/**
 * What is left of a body when its answer has gone. NOTE: the hosts stop reading at the limit and leave it there; the
 * next request on the connection would wait behind it until its time is over (LIM-02).
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { server as limits } from '#lib/config/limits.ts'

export function discardUnread(incoming: IncomingMessage, outgoing: ServerResponse): void {
  const { 'content-length': length, 'transfer-encoding': encoding } = incoming.headers
  if (length === undefined && encoding === undefined) return
  outgoing.once('finish', () => {
    if (!incoming.complete) discard(incoming)
  })
}

/** Whoever goes on sending for longer is cut off. */
function discard(incoming: IncomingMessage): void {
  incoming.unpipe()
  // Those who stopped reading would stop the rest again
  for (const event of ['data', 'readable']) incoming.removeAllListeners(event)
  incoming.resume()
  const cut = () => {
    if (!incoming.complete) incoming.socket.destroySoon()
  }
  setTimeout(cut, limits.lingerMs).unref()
}
