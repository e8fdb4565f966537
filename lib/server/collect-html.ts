/** Holds an HTML answer back until it is whole, and a failed one of any kind. Everything else passes as it comes. */
import type { IncomingMessage, ServerResponse } from 'node:http'

type Chunk = string | Uint8Array

/**
 * `finish` gets the whole document before anything was sent, may still change status and headers, and returns what
 * is sent instead. Answers that somebody else has begun to send, or compressed, are left alone.
 */
export function collectHtml(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  finish: (html: string) => string,
): void {
  const { write, end, flushHeaders, writeHead } = outgoing
  const chunks: Buffer[] = []
  let isPassing = false
  const collects = () => {
    isPassing ||= chunks.length === 0 && !isPage(outgoing)
    return !isPassing
  }
  outgoing.flushHeaders = () => {
    if (!collects()) flushHeaders.call(outgoing)
  }
  // Compression, which Next puts in front of this, calls it before every first write
  outgoing.writeHead = (...given: readonly unknown[]) => {
    if (!collects()) return Reflect.apply(writeHead, outgoing, given)
    setHead(outgoing, given)
    return outgoing
  }
  outgoing.write = (...given: readonly unknown[]) => {
    if (!collects()) return Reflect.apply(write, outgoing, given)
    keep(chunks, given)
    return true
  }
  outgoing.end = (...given: readonly unknown[]) => {
    if (!collects()) return Reflect.apply(end, outgoing, given)
    keep(chunks, given)
    isPassing = true
    const body = finish(Buffer.concat(chunks).toString('utf8'))
    if (incoming.method === 'HEAD') return Reflect.apply(end, outgoing, [])
    outgoing.setHeader('content-length', Buffer.byteLength(body))
    return Reflect.apply(end, outgoing, [body])
  }
}

/** The parameters of `writeHead`: a status, perhaps its phrase, perhaps headers by name. */
function setHead(outgoing: ServerResponse, [status, ...rest]: readonly unknown[]): void {
  if (typeof status === 'number') outgoing.statusCode = status
  const headers = rest.at(-1)
  if (typeof headers !== 'object' || headers === null) return
  for (const [name, value] of Object.entries(headers)) {
    if (typeof value === 'string' || typeof value === 'number') outgoing.setHeader(name, value)
  }
}

function isPage(outgoing: ServerResponse): boolean {
  if (outgoing.headersSent || outgoing.hasHeader('content-encoding')) return false
  return (
    outgoing.statusCode >= 500 || String(outgoing.getHeader('content-type') ?? '').startsWith('text/html')
  )
}

/** The parameters of `write` and `end`: a chunk, perhaps its encoding, perhaps a function to call when it is done. */
function keep(chunks: Buffer[], given: readonly unknown[]): void {
  const [chunk] = given
  if (isChunk(chunk)) chunks.push(Buffer.from(chunk))
  const done = given.find(value => typeof value === 'function')
  if (done !== undefined) queueMicrotask(() => done())
}

function isChunk(value: unknown): value is Chunk {
  return typeof value === 'string' || value instanceof Uint8Array
}
