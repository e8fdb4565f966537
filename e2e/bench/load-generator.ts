/**
 * Requests over plain sockets, one after the other on each, and nothing read of the answers but status and length.
 * NOTE: it shares the machine with what it measures. An HTTP client costs as much as the server's own work, and would
 * hide how fast that is.
 */
import { createConnection, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

export type Post = { readonly headers: Readonly<Record<string, string>>; readonly body: string }

export type Bombardment = {
  readonly url: URL
  /** Sent by turns. */
  readonly posts: readonly Post[]
  readonly connections: number
  readonly seconds: number
}

/** Whole answers that came in time. */
export type Answers = { readonly good: number; readonly refused: number; readonly seconds: number }

/** @throws when a connection fails or ends, or when an answer is not HTTP/1.1 with a length or in chunks */
export async function bombard({ url, posts, connections, seconds }: Bombardment): Promise<Answers> {
  const texts = posts.map(post => requestText(url, post))
  const counts = { good: 0, refused: 0, sent: 0 }
  const next = () => texts[counts.sent++ % texts.length] ?? ''
  const count = (isGood: boolean) => {
    counts[isGood ? 'good' : 'refused'] += 1
  }
  const began = performance.now()
  const sockets = Array.from({ length: connections }, () => createConnection(Number(url.port), url.hostname))
  const failed = Promise.all(sockets.map(socket => askForEver(socket, next, count)))
  await Promise.race([failed, delay(seconds * 1000)])
  const { good, refused } = counts
  const elapsed = (performance.now() - began) / 1000
  for (const socket of sockets) socket.destroy()
  await failed.catch(() => {})
  return { good, refused, seconds: elapsed }
}

function requestText({ pathname, host }: URL, { headers, body }: Post): string {
  const given = { host, 'content-length': String(Buffer.byteLength(body)), ...headers }
  const lines = Object.entries(given).map(([name, value]) => `${name}: ${value}\r\n`)
  return `POST ${pathname} HTTP/1.1\r\n${lines.join('')}\r\n${body}`
}

/** Rejects when the connection fails; resolves when it was destroyed. */
function askForEver(socket: Socket, next: () => string, count: (isGood: boolean) => void): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  let received = ''
  socket.setEncoding('latin1').setNoDelay()
  socket.on('connect', () => socket.write(next()))
  socket.on('data', (text: string) => {
    received += text
    const end = endOf(received)
    if (end === 'unknown') socket.destroy(new Error(`An answer without a length: ${received}`))
    if (end !== 'reached') return
    count(received.startsWith('HTTP/1.1 2'))
    received = ''
    socket.write(next())
  })
  socket.on('error', reject)
  socket.on('end', () => reject(new Error('The server has closed a connection.')))
  socket.on('close', () => resolve())
  return promise
}

/** RFC 9112 6: by length, or by the last chunk. */
function endOf(answer: string): 'reached' | 'ahead' | 'unknown' {
  const end = answer.indexOf('\r\n\r\n')
  if (end === -1) return 'ahead'
  const head = answer.slice(0, end).toLowerCase()
  const [, length] = /\r\ncontent-length: *(\d+)/.exec(head) ?? []
  const isChunked = /\r\ntransfer-encoding: *chunked/.test(head)
  if (length === undefined && !isChunked) return 'unknown'
  const isReached =
    length === undefined ? answer.endsWith('0\r\n\r\n') : answer.length >= end + 4 + Number(length)
  return isReached ? 'reached' : 'ahead'
}
