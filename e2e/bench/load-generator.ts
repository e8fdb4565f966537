/**
 * Sends requests over plain sockets, on each of them one at a time. NOTE: a full HTTP client would cost as much as the server's
 * own work, and the generator must be faster than the server.
 */
import { createConnection, type Socket } from 'node:net'

export type HttpResponse = {
  readonly status: number
  /** The status line and the header fields, with names as the server wrote them. */
  readonly head: string
  /** The body, with one character for each byte. */
  readonly body: string
}

/** One request, and the check of its response. */
export type Step = {
  /** The method and the target of the request. */
  readonly request: string
  /** The header fields other than `host`, then an empty line and the body. */
  readonly rest: string
  /** Throws if the response is wrong. Returns the next request of the same operation, or null after the last one. */
  readonly accept: (response: HttpResponse) => Step | null
}

/** Returns the first request of the next operation, or null if there are no more. */
export type Operations = () => Step | null

/** Makes the operations of one round. `count` is the expected number, for loads that must prepare a code for each operation. */
export type Supply = (count: number) => Promise<Operations>

export type LoadRun = {
  readonly origin: string
  readonly operations: Operations
  readonly connections: number
  /** The time after which no operation begins. Those in progress are completed. */
  readonly seconds?: number
  /** The number of requests after which no operation begins. */
  readonly requests?: number
}

export type LoadResult = {
  readonly requests: number
  readonly seconds: number
  /** The duration of each completed operation. */
  readonly milliseconds: readonly number[]
}

/**
 * Sends operations over several connections.
 * @throws if a connection fails or ends, or if a response is wrong
 */
export async function generateLoad(run: LoadRun): Promise<LoadResult> {
  const began = performance.now()
  const { requests: most = Number.POSITIVE_INFINITY, seconds = Number.POSITIVE_INFINITY } = run
  const counts = { requests: 0, milliseconds: [] as number[] }
  const next = () =>
    counts.requests < most && performance.now() < began + seconds * 1000 ? run.operations() : null
  await Promise.all(Array.from({ length: run.connections }, () => sendOperations(run.origin, next, counts)))
  return { ...counts, seconds: (performance.now() - began) / 1000 }
}

type Counts = { requests: number; readonly milliseconds: number[] }

/** Sends operations over one connection until there are none left. */
function sendOperations(origin: string, next: Operations, counts: Counts): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const url = new URL(origin)
  const protocol = ` HTTP/1.1\r\nhost: ${url.host}\r\n`
  const socket = createConnection(Number(url.port), url.hostname).setEncoding('latin1').setNoDelay()
  const end = { isReached: false }
  let received = ''
  let step: Step | null = null
  let began = 0

  function begin() {
    step = next()
    began = performance.now()
    write()
  }
  function write() {
    if (step !== null) return socket.write(step.request + protocol + step.rest)
    end.isReached = true
    socket.destroy()
    return resolve()
  }
  function receive(text: string) {
    received += text
    const response = parseResponse(received)
    if (response === null || step === null) return
    received = ''
    counts.requests += 1
    step = step.accept(response)
    if (step !== null) {
      write()
      return
    }
    counts.milliseconds.push(performance.now() - began)
    begin()
  }

  socket.on('connect', begin)
  socket.on('data', (text: string) => attempt(socket, () => receive(text)))
  socket.on('error', reject)
  socket.on('close', () => {
    if (!end.isReached) reject(new Error(`The server closed a connection. ${received}`))
  })
  return promise
}

function attempt(socket: Socket, work: () => void): void {
  try {
    work()
  } catch (error) {
    socket.destroy(error instanceof Error ? error : new Error(String(error)))
  }
}

/** RFC 9112 6: a body ends by its length, or with the last chunk. Returns null while the response is incomplete. */
function parseResponse(text: string): HttpResponse | null {
  const headEnd = text.indexOf('\r\n\r\n')
  if (headEnd === -1) return null
  const head = text.slice(0, headEnd)
  const body = text.slice(headEnd + 4)
  const status = Number(head.slice(9, 12))
  const length = headerValue(head, 'content-length')
  if (length !== null) return body.length < Number(length) ? null : { status, head, body }
  if (headerValue(head, 'transfer-encoding') === 'chunked') {
    return body.endsWith('0\r\n\r\n') ? { status, head, body: withoutChunks(body) } : null
  }
  throw new Error(`A response without a length: ${head}`)
}

/** The value of the first header field with this name in lower case; null if there is none. */
export function headerValue(head: string, name: string): string | null {
  const lowerCase = head.toLowerCase()
  const start = lowerCase.indexOf(`\r\n${name}:`)
  if (start === -1) return null
  const from = start + name.length + 3
  const end = head.indexOf('\r\n', from)
  return head.slice(from, end === -1 ? undefined : end).trim()
}

function withoutChunks(body: string): string {
  const chunks: string[] = []
  for (let at = 0; at < body.length; ) {
    const lineEnd = body.indexOf('\r\n', at)
    const length = Number.parseInt(body.slice(at, lineEnd), 16)
    chunks.push(body.slice(lineEnd + 2, lineEnd + 2 + length))
    at = lineEnd + 4 + length
  }
  return chunks.join('')
}
