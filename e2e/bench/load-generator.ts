/**
 * Sends requests over plain sockets, one at a time on each, and reads only the status and the length of each response.
 * NOTE: the load runs on the machine that it measures. A full HTTP client would cost as much as the server's own work.
 */
import { createConnection, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

export type LoadRequest = {
  readonly method: 'GET' | 'POST'
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
  /** Form-encoded; only for POST. */
  readonly body?: string
}

export type LoadRun = {
  readonly origin: string
  /** Sent in turn. */
  readonly requests: readonly LoadRequest[]
  readonly connections: number
  readonly seconds: number
}

/** Complete responses within the time: `good` has status 2xx or 3xx. */
export type LoadResult = { readonly good: number; readonly refused: number; readonly seconds: number }

/** @throws when a connection fails or ends, or when a response is not HTTP/1.1 with a length or in chunks */
export async function generateLoad({ origin, requests, connections, seconds }: LoadRun): Promise<LoadResult> {
  const url = new URL(origin)
  const texts = requests.map(request => requestText(url, request))
  const counts = { good: 0, refused: 0, sent: 0 }
  const next = () => texts[counts.sent++ % texts.length] ?? ''
  const count = (isGood: boolean) => {
    counts[isGood ? 'good' : 'refused'] += 1
  }
  const began = performance.now()
  const sockets = Array.from({ length: connections }, () => createConnection(Number(url.port), url.hostname))
  const failed = Promise.all(sockets.map(socket => sendRepeatedly(socket, next, count)))
  await Promise.race([failed, delay(seconds * 1000)])
  const { good, refused } = counts
  const elapsed = (performance.now() - began) / 1000
  for (const socket of sockets) socket.destroy()
  await failed.catch(() => {})
  return { good, refused, seconds: elapsed }
}

function requestText({ host }: URL, { method, target, headers, body = '' }: LoadRequest): string {
  const length = method === 'POST' ? { 'content-length': String(Buffer.byteLength(body)) } : {}
  const lines = Object.entries({ host, ...length, ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  )
  return `${method} ${target} HTTP/1.1\r\n${lines.join('')}\r\n${body}`
}

/** Rejects when the connection fails; resolves when it was destroyed. */
function sendRepeatedly(socket: Socket, next: () => string, count: (isGood: boolean) => void): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  let received = ''
  socket.setEncoding('latin1').setNoDelay()
  socket.on('connect', () => socket.write(next()))
  socket.on('data', (text: string) => {
    received += text
    const end = endOf(received)
    if (end === 'unknown') socket.destroy(new Error(`A response without a length: ${received}`))
    if (end !== 'reached') return
    count(/^HTTP\/1\.1 [23]/.test(received))
    received = ''
    socket.write(next())
  })
  socket.on('error', reject)
  socket.on('end', () => reject(new Error('The server closed a connection.')))
  socket.on('close', () => resolve())
  return promise
}

/** RFC 9112 6: by length, or by the last chunk. */
function endOf(response: string): 'reached' | 'ahead' | 'unknown' {
  const end = response.indexOf('\r\n\r\n')
  if (end === -1) return 'ahead'
  const head = response.slice(0, end).toLowerCase()
  const [, length] = /\r\ncontent-length: *(\d+)/.exec(head) ?? []
  const isChunked = /\r\ntransfer-encoding: *chunked/.test(head)
  if (length === undefined && !isChunked) return 'unknown'
  const isReached =
    length === undefined ? response.endsWith('0\r\n\r\n') : response.length >= end + 4 + Number(length)
  return isReached ? 'reached' : 'ahead'
}
