/**
 * Answers what cannot be read as a request: no HTTP, too slow, too large. Node alone would send a bare status line,
 * without a header of ours and without a line in the log (WF-01, WF-03).
 */
import { type Server, STATUS_CODES } from 'node:http'
import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { server as limits } from '#lib/config/limits.ts'
import type { ErrorReason } from '#lib/errors/reasons.ts'
import { errorPageReply } from '#lib/http/error-page.ts'
import type { EndpointServices, RequestLog } from '#lib/http/exchange.ts'
import { createReferenceId } from '#lib/http/reference-id.ts'
import { refusedFor } from '#lib/http/refused.ts'
import type { Reply } from '#lib/http/reply.ts'
import { securityHeaders, withHeaders } from '#lib/http/security-headers.ts'
import { negotiateLocale } from '#lib/i18n/locales.ts'
import type { AddressReader } from './client-address.ts'
import { openRequest } from './open-requests.ts'

export type BrokenHost = {
  readonly config: EndpointServices['config']
  readonly log: RequestLog
  readonly readAddress: AddressReader
}

const causes: Readonly<Record<string, ErrorReason>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
  HPE_HEADER_OVERFLOW: 'headers_too_long',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'chunk_extensions',
}
/** Whatever else arrives on these is thrown away. */
const answered = new WeakSet<Duplex>()

export function refuseBroken(server: Server, host: BrokenHost): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (answered.has(socket)) return
    if (error.code === 'ECONNRESET' || !socket.writable) return socket.destroy(error)
    refuse(socket, error, host)
  })
  // A tunnel to somewhere else; RFC 9110 9.3.6
  server.on('connect', (_incoming, socket) => {
    answer(socket, 'method_unknown', host)
  })
}

/** NOTE: while a body arrives somebody waits for it: the error goes there, and the line of the log comes from there. */
function refuse(socket: Duplex, error: NodeJS.ErrnoException, host: BrokenHost): void {
  const open = openRequest(socket)
  const reason = causes[error.code ?? ''] ?? 'malformed'
  if (open === null) {
    answer(socket, reason, host)
    return
  }
  if (!open.outgoing.headersSent) socket.write(rawAnswer(pageFor(reason, open.referenceId, host.config)))
  open.incoming.destroy(error)
}

function answer(socket: Duplex, reason: ErrorReason, { config, log, readAddress }: BrokenHost): void {
  const referenceId = createReferenceId()
  const reply = pageFor(reason, referenceId, config)
  end(socket, rawAnswer(reply))
  log.request({
    referenceId,
    method: '',
    pattern: '(refused)',
    status: reply.status,
    durationMs: 0,
    address: socket instanceof Socket ? readAddress({ socket, headers: {} }) : null,
    reason,
  })
}

/** NOTE: closed at once, a connection that still sends is reset, and the answer is lost on its way. */
function end(socket: Duplex, text: string): void {
  answered.add(socket)
  socket.end(text)
  setTimeout(() => socket.destroy(), limits.lingerMs).unref()
}

/** In the language for people about whom nothing is known: no header was read. */
function pageFor(reason: ErrorReason, referenceId: string, config: BrokenHost['config']): Reply {
  const locale = negotiateLocale({ saved: null, uiLocales: [], acceptLanguage: null })
  const refused = refusedFor(reason)
  const page = errorPageReply({ refused, config, locale, referenceId, clientName: null })
  return withHeaders(page, { ...securityHeaders(config.issuer), 'x-reference-id': referenceId })
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
