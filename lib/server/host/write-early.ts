/**
 * Writes responses that come from neither an endpoint nor a page: redirects, and early refusals as JSON, problem
 * details or a page.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { readCookies } from '#lib/http/cookies.ts'
import { type ErrorPageReader, errorPageReply, isInDashboard } from '#lib/http/error-page.ts'
import type { EndpointServices } from '#lib/http/exchange.ts'
import type { HttpRefusal } from '#lib/http/http-refusal.ts'
import type { Reply } from '#lib/http/reply.ts'
import { refuseWithJson, refuseWithMessage } from '#lib/http/respond-json.ts'
import { refusalAsProblem } from '#lib/http/respond-problem.ts'
import { corsHeaders, securityHeaders, withHeaders } from '#lib/http/security-headers.ts'
import { negotiateLocale } from '#lib/i18n/locales.ts'
import { type EarlyRefusal, isApiPath, pathOf } from './refuse-early.ts'

export type ReceivedRequest = {
  readonly incoming: IncomingMessage
  readonly outgoing: ServerResponse
  readonly requestId: string
}

export function writeRefusal(
  request: ReceivedRequest,
  { refused, headers }: EarlyRefusal,
  config: EndpointServices['config'],
): void {
  writeEarly(request, withHeaders(refusalReply(request, refused, config), headers), config)
}

/** Makes the refusal in the format that callers of the address expect. */
function refusalReply(
  request: ReceivedRequest,
  refused: HttpRefusal,
  config: EndpointServices['config'],
): Reply {
  const { url = '' } = request.incoming
  if (isApiPath(url)) return refusalAsProblem(refused, request.requestId)
  if (!isForScripts(url)) return errorPageFor(request, { refused }, config)
  return /^\/connect\/(access|identity)tokenvalidation\b/i.test(url)
    ? refuseWithMessage(refused)
    : refuseWithJson(refused)
}

/**
 * Whether programs and scripts of registered origins use the address: all under `/connect`, except the pages for users.
 */
function isForScripts(url: string): boolean {
  return /^\/connect\/(?!(authorize|endsession)(?:[/?]|$))/i.test(url)
}

/** Returns the CORS headers of a response; `null`: the address has none. Without the database no origin is allowed. */
export function crossOriginHeaders(
  { headers, url = '' }: IncomingMessage,
  allowsOrigin: EndpointServices['allowsOrigin'],
): Promise<Readonly<Record<string, string>>> | null {
  if (!isForScripts(url)) return null
  const get = (name: string) => (name === 'origin' ? (headers.origin ?? null) : null)
  return corsHeaders({ headers: { get } }, origin => allowsOrigin(origin).catch(() => false))
}

/** Makes an error page for a request that no endpoint handles. */
export function errorPageFor(
  { incoming, requestId }: Pick<ReceivedRequest, 'incoming' | 'requestId'>,
  page: { readonly refused: HttpRefusal; readonly isRepeatable?: boolean },
  config: EndpointServices['config'],
): Reply {
  const reader = errorPageReader(incoming, config.issuer)
  return errorPageReply({ ...reader, ...page, config, requestId, clientName: null })
}

/** Reads the language and theme of an error page from the request's headers, for requests that no endpoint handles. */
export function errorPageReader({ headers, url = '/' }: IncomingMessage, issuer: string): ErrorPageReader {
  const { locale: saved, theme } = readCookies(headers.cookie ?? null, issuer)
  const acceptLanguage = headers['accept-language'] ?? null
  return {
    locale: negotiateLocale({ saved, uiLocales: [], acceptLanguage }),
    theme,
    isInDashboard: isInDashboard(pathOf(url)),
  }
}

/** Writes a response with the headers that all responses have. */
export function writeEarly(
  { incoming, outgoing, requestId }: ReceivedRequest,
  reply: Reply,
  { issuer }: Pick<EndpointServices['config'], 'issuer'>,
): void {
  const { status, headers, body } = withHeaders(reply, {
    ...securityHeaders(issuer),
    'x-reference-id': requestId,
  })
  outgoing.writeHead(status, headers)
  outgoing.end(incoming.method === 'HEAD' ? undefined : body)
}
