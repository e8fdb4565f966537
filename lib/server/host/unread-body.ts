/**
 * What is left of a body when its answer has gone. NOTE: the hosts stop reading at the limit and leave it there; the
 * next request on the connection would wait behind it until its time is over (LIM-02).
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { server as limits } from '#lib/config/limits.ts'

export function discardUnread(incoming: IncomingMessage, outgoing: ServerResponse): void {
  const { 'content-length': length, 'transfer-encoding': encoding } = incoming.headers
  if (length === undefined && encoding === undefined) return
  // Before Node's own, which may close the connection
  outgoing.prependOnceListener('finish', () => {
    if (!incoming.complete) discard(incoming)
  })
}

/** A sender that goes on for longer, or sends more, is cut off. */
function discard(incoming: IncomingMessage): void {
  incoming.unpipe()
  // Those who stopped reading would stop the rest again
  for (const event of ['data', 'readable']) incoming.removeAllListeners(event)
  const close = postponeClose(incoming)
  let bytesLeft: number = limits.lingerBytes
  incoming.on('data', (chunk: Buffer) => {
    bytesLeft -= chunk.length
    if (bytesLeft < 0) close()
  })
  incoming.resume()
  const cut = setTimeout(close, limits.lingerMs).unref()
  incoming.once('close', () => {
    clearTimeout(cut)
    close()
  })
}

/**
 * NOTE: Node closes at once where no other request will come. A connection that still sends is reset by that, and the
 * answer is lost on its way; so our side alone ends until the returned function is called.
 */
function postponeClose(incoming: IncomingMessage): () => void {
  const { socket } = incoming
  let isWanted = false
  socket.destroySoon = () => {
    isWanted = true
    socket.end()
  }
  return () => {
    Reflect.deleteProperty(socket, 'destroySoon')
    if (isWanted || !incoming.complete) socket.destroySoon()
  }
}
