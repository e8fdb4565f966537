/**
 * Answers input that is not a valid request: not HTTP, too slow, too large, or `CONNECT`. Node would answer
 * without security headers, and without a line in the log (WF-01, WF-03).
 */
import { type Server, STATUS_CODES } from 'node:http'
import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { server as limits } from '#lib/config/limits.ts'
import type { ErrorReason } from '#lib/errors/reasons.ts'
import { errorPageReply } from '#lib/http/error-page.ts'
import type { EndpointServices, RequestLog } from '#lib/http/exchange.ts'
import { refusalFromReason } from '#lib/http/http-refusal.ts'
import type { Reply } from '#lib/http/reply.ts'
import { createRequestId } from '#lib/http/request-id.ts'
import { securityHeaders, withHeaders } from '#lib/http/security-headers.ts'
import { negotiateLocale } from '#lib/i18n/locales.ts'
import type { Events } from '#lib/ports/events.ts'
import type { AddressReader } from './request-headers.ts'
import type { ReceivedRequest } from './write-early.ts'

export type BrokenHost = {
  readonly config: EndpointServices['config']
  readonly log: RequestLog
  readonly events: Pick<Events, 'record'>
  readonly readAddress: AddressReader
}

type RememberedRequest = ReceivedRequest & { readonly isFirst: boolean }

const latestRequests = new WeakMap<Duplex, RememberedRequest>()

/** Stores the latest request of a connection. Called for every request as soon as its headers are read. */
export function rememberRequest(request: ReceivedRequest): void {
  const { socket } = request.incoming
  latestRequests.set(socket, { ...request, isFirst: !latestRequests.has(socket) })
}

/** Whether the headers of at least one request arrived on this connection. */
export function hasRequested(socket: Duplex): boolean {
  return latestRequests.has(socket)
}

/** Returns the request whose body is still arriving; `null` when the connection has none. */
export function openRequest(socket: Duplex): RememberedRequest | null {
  const request = latestRequests.get(socket)
  return request === undefined || request.incoming.complete ? null : request
}

/** The code of Node's error when its time limits end. */
export const timeoutCode = 'ERR_HTTP_REQUEST_TIMEOUT'

const reasons: Readonly<Record<string, ErrorReason>> = {
  [timeoutCode]: 'request_timeout',
  HPE_HEADER_OVERFLOW: 'headers_too_long',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'chunk_extensions',
}
/** The connections on which `answer` responded. Further errors on them are ignored. */
const answered = new WeakSet<Duplex>()

export function refuseBroken(server: Server, host: BrokenHost): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (answered.has(socket)) return
    // Browsers open connections in advance: without a byte there is no request to refuse
    if (error.code === timeoutCode && socket instanceof Socket && socket.bytesRead === 0)
      return socket.destroy()
    if (error.code === 'ECONNRESET' || !socket.writable) return socket.destroy(error)
    refuse(socket, error, host)
  })
  // RFC 9110 9.3.6: CONNECT requests a tunnel to another server, which is refused
  server.on('connect', (_incoming, socket) => {
    answer(socket, 'method_unknown', host)
  })
}

/**
 * Refuses invalid input. NOTE: while a body arrives, its endpoint is waiting for it: the endpoint gets the error and
 * writes the line of the log.
 */
function refuse(socket: Duplex, error: NodeJS.ErrnoException, host: BrokenHost): void {
  const open = openRequest(socket)
  const reason = reasons[error.code ?? ''] ?? 'malformed'
  if (open === null) {
    answer(socket, reason, host)
    return
  }
  if (!open.outgoing.headersSent) socket.write(rawAnswer(pageFor(reason, open.requestId, host.config)))
  open.incoming.destroy(error)
}

function answer(socket: Duplex, reason: ErrorReason, host: BrokenHost): void {
  const { config, log, events, readAddress } = host
  const requestId = createRequestId()
  const address = socket instanceof Socket ? readAddress({ socket, headers: {} }) : null
  const reply = pageFor(reason, requestId, config)
  answered.add(socket)
  // The event is recorded because the page shows the request ID
  const event = { name: 'request_refused', outcome: 'failure', reason } as const
  events.record(event, { requestId, address, userAgent: null })
  socket.end(rawAnswer(reply))
  // NOTE: closing the connection immediately would reset it if the client is still sending, and the answer would be
  // lost
  setTimeout(() => socket.destroy(), limits.lingerMs).unref()
  log.request({
    requestId,
    method: '',
    pattern: '(refused)',
    status: reply.status,
    durationMs: 0,
    address,
    reason,
  })
}

/** Renders the error page in the default language, because usually no header was read. */
function pageFor(reason: ErrorReason, requestId: string, config: BrokenHost['config']): Reply {
  const locale = negotiateLocale({ saved: null, uiLocales: [], acceptLanguage: null })
  const refused = refusalFromReason(reason)
  const page = errorPageReply({ refused, config, locale, requestId, clientName: null })
  return withHeaders(page, { ...securityHeaders(config.issuer), 'x-reference-id': requestId })
}

function rawAnswer({ status, headers, body }: Reply): string {
  const lines = Object.entries({
    ...headers,
    'content-length': String(Buffer.byteLength(body ?? '')),
    date: new Date().toUTCString(),
    connection: 'close',
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('')}\r\n${body ?? ''}`
}
