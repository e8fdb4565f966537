/** Requests that no host should see, and the page they get. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { parseAndValidateFlightRouterState } from 'next/dist/server/app-render/parse-and-validate-flight-router-state.js'
import { apiRoot } from '#lib/admin/api/root.ts'
import { matchRoute } from '#lib/admin/api/routes.ts'
import { server as limits } from '#lib/config/limits.ts'
import type { ErrorReason } from '#lib/errors/reasons.ts'
import { errorPageReply } from '#lib/http/error-page.ts'
import type { EndpointServices } from '#lib/http/exchange.ts'
import { guardPage } from '#lib/http/page-guard.ts'
import { type Refused, refusedFor } from '#lib/http/refused.ts'
import type { Reply } from '#lib/http/reply.ts'
import { refusalAsProblem } from '#lib/http/respond-problem.ts'
import { securityHeaders, withHeaders } from '#lib/http/security-headers.ts'
import { errorPageReader } from './error-page-reader.ts'
import { hasOneHost } from './host-header.ts'

export type EarlyRefusal = {
  readonly refused: Refused
  readonly headers: Readonly<Record<string, string>>
}

const methods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** NOTE: Next answers `GET http://evil/…` with a redirect to that very address, and `TRACE` with a 500. */
export function refuseTarget(incoming: IncomingMessage): EarlyRefusal | null {
  const { method, url, headers } = incoming
  if (!methods.has(method ?? '')) return refuseMethod(url ?? '')
  if (!isReadableTarget(url ?? '')) return refusal('bad_target')
  if (!hasOneHost(incoming)) return refusal('bad_host')
  if (headers.expect !== undefined && !/^100-continue$/i.test(headers.expect)) {
    return refusal('expectation')
  }
  return refuseCookies(headers.cookie)
}

/** RFC 9110 15.5.6: the API lists the methods of an address. Elsewhere no route has such a method. */
function refuseMethod(url: string): EarlyRefusal {
  if (!isApiPath(url)) return refusal('method_unknown')
  const match = matchRoute('', (url.split('?', 1)[0] ?? '').slice(apiRoot.length))
  if (match === null || !('allowed' in match)) return refusal(guardReasons[404])
  return refusal(guardReasons[405], { allow: match.allowed.join(', ') })
}

/** Whether the admin API answers there: with problem details, whatever the address is. */
export function isApiPath(url: string): boolean {
  return /^\/api\/admin(?:[/?]|$)/.test(url)
}

/** NOTE: Next fails with a 500 where a path below a dynamic segment cannot be decoded. */
function isReadableTarget(url: string): boolean {
  if (!/^\/(?!\/)/.test(url) || url.includes('\\')) return false
  try {
    decodeURIComponent(url.split('?', 1)[0] ?? '')
    return true
  } catch (error) {
    if (error instanceof URIError) return false
    throw error
  }
}

/**
 * SE-08: a browser whose cookies have grown too long would be shut out until somebody deletes them. NOTE: only then;
 * told for a long address, any site could clear them by a link (LO-03).
 */
function refuseCookies(cookie = ''): EarlyRefusal | null {
  if (cookie.length <= limits.cookieCharacters) return null
  return refusal('cookies_too_long', { 'clear-site-data': '"cookies"' })
}

/** `hasRoute`: a route file answers the path, every method included. */
export function refusePath(incoming: IncomingMessage, path: string, hasRoute: boolean): EarlyRefusal | null {
  const hasHeader = (name: string) => incoming.headers[name] !== undefined
  const query = incoming.url?.slice(path.length) ?? ''
  const guarded = guardPage({ method: incoming.method ?? '', path, query, hasHeader, hasRoute })
  if (guarded === null) return hasRoute || hasReadableState(incoming) ? null : refusal('bad_page_request')
  return refusal(guardReasons[guarded.status], guarded.allow === null ? {} : { allow: guarded.allow })
}

/**
 * NOTE: Next answers a state of its router that it cannot read with a 500 and two errors in the log, which anyone could cause
 * without a session. Its own parser decides, because the format changes with its releases.
 */
function hasReadableState({ headers }: IncomingMessage): boolean {
  try {
    parseAndValidateFlightRouterState(headers['next-router-state-tree'])
    return true
  } catch {
    return false
  }
}

const guardReasons = { 400: 'bad_page_request', 404: 'not_found', 405: 'method_not_allowed' } as const

function refusal(reason: ErrorReason, headers: EarlyRefusal['headers'] = {}): EarlyRefusal {
  return { refused: refusedFor(reason), headers }
}

export type RefusedRequest = {
  readonly incoming: IncomingMessage
  readonly outgoing: ServerResponse
  readonly referenceId: string
}

export function writeRefusal(
  asked: RefusedRequest,
  { refused, headers }: EarlyRefusal,
  config: EndpointServices['config'],
): void {
  const { incoming, referenceId } = asked
  const reader = errorPageReader(incoming, config.issuer)
  const reply = isApiPath(incoming.url ?? '')
    ? refusalAsProblem(refused, referenceId)
    : errorPageReply({ ...reader, refused, config, referenceId, clientName: null })
  writeEarly(asked, withHeaders(reply, headers), config)
}

/** An answer that no host gave, with the headers that every answer has. */
export function writeEarly(
  { incoming, outgoing, referenceId }: RefusedRequest,
  reply: Reply,
  { issuer }: Pick<EndpointServices['config'], 'issuer'>,
): void {
  const { status, headers, body } = withHeaders(reply, {
    ...securityHeaders(issuer),
    'x-reference-id': referenceId,
  })
  outgoing.writeHead(status, headers)
  outgoing.end(incoming.method === 'HEAD' ? undefined : body)
}
