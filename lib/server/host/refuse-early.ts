/** Requests that are refused before any endpoint or page sees them (FW-04, FW-06, WF-12). */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { createRequire } from 'node:module'
import { apiRoot } from '#lib/admin/api/root.ts'
import { requestHead as limits, mostParameters } from '#lib/config/limits.ts'
import type { ErrorReason } from '#lib/errors/reasons.ts'
import { isPrefetch } from '#lib/http/endpoint.ts'
import { type HttpRefusal, methodRefusal, refusalFromReason } from '#lib/http/http-refusal.ts'
import { hasOneHost } from './request-headers.ts'

export type EarlyRefusal = {
  readonly refused: HttpRefusal
  readonly headers: Readonly<Record<string, string>>
}

const require = createRequire(import.meta.url)

const methods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/**
 * Refuses unknown methods. RFC 9110 15.6.2: no route has such a method. For an address of the API the response lists
 * its methods (15.5.6). NOTE: Next responds to `TRACE` with 500.
 */
export function refuseMethod({
  method = '',
  url = '',
}: Pick<IncomingMessage, 'method' | 'url'>): Promise<EarlyRefusal> | null {
  return methods.has(method) ? null : refuseUnknownMethod(url)
}

async function refuseUnknownMethod(url: string): Promise<EarlyRefusal> {
  if (!isApiPath(url)) return refusal('method_unknown')
  // Imported here and not at the start, because it loads every use case
  const { matchRoute } = await import('#lib/admin/api/routes.ts')
  const match = matchRoute('', pathOf(url).slice(apiRoot.length))
  if (match === null || !('allowed' in match)) return refusal('not_found')
  return refusalOfMethod(match.allowed)
}

/**
 * Refuses an address, headers or cookies over the limits, so that no later code reads them. NOTE: Next needs seconds to
 * read an address with thousands of parameters.
 */
export function refuseOversized({
  url = '',
  headers,
  rawHeaders,
}: Pick<IncomingMessage, 'url' | 'headers' | 'rawHeaders'>): EarlyRefusal | null {
  const path = pathOf(url)
  if (url.length > limits.addressCharacters || path.length > limits.pathCharacters)
    return refusal('address_too_long')
  if (url.length > path.length && hasMore(url, '&', mostParameters - 1)) return refusal('too_many_parameters')
  if (rawHeaders.length > 2 * limits.headers) return refusal('too_many_headers')
  return refuseCookies(headers.cookie) ?? refuseLongHeader(headers)
}

/**
 * SE-08: refuses and clears cookies that are too many or too long. Otherwise a browser could not use the server until
 * its user deletes them. NOTE: a long address does not clear cookies: any site could cause that by a link (LO-03).
 */
function refuseCookies(cookie = ''): EarlyRefusal | null {
  if (cookie.length <= limits.cookieCharacters && !hasMore(cookie, ';', limits.cookies - 1)) return null
  return refusal('cookies_too_long', { 'clear-site-data': '"cookies"' })
}

/**
 * Refuses a long header. `Authorization` is exempt: it can contain a token, and the endpoint refuses a token that is
 * too long.
 */
function refuseLongHeader(headers: IncomingHttpHeaders): EarlyRefusal | null {
  for (const name in headers) {
    if (name === 'authorization' || name === 'cookie') continue
    if ((headers[name]?.length ?? 0) > limits.headerCharacters) return refusal('header_too_long')
  }
  return null
}

/** Whether the text contains the character more than `most` times. */
function hasMore(text: string, character: string, most: number): boolean {
  let count = 0
  for (let at = text.indexOf(character); at !== -1; at = text.indexOf(character, at + 1)) {
    count += 1
    if (count > most) return true
  }
  return false
}

/**
 * Refuses an invalid target or host, and an unknown `Expect`. NOTE: Next redirects `GET http://evil/…` to that address.
 */
export function refuseTarget(
  incoming: Pick<IncomingMessage, 'url' | 'headers' | 'rawHeaders'>,
): EarlyRefusal | null {
  const { url = '', headers } = incoming
  if (!isReadableTarget(url)) return refusal('bad_target')
  if (!hasOneHost(incoming)) return refusal('bad_host')
  if (headers.expect !== undefined && !/^100-continue$/i.test(headers.expect)) return refusal('expectation')
  return null
}

/** Whether the path belongs to the admin API, which responds with problem details. */
export function isApiPath(url: string): boolean {
  return /^\/api\/admin(?:[/?]|$)/.test(url)
}

/** Returns the path of a request target, without its query. */
export function pathOf(target: string): string {
  const query = target.indexOf('?')
  return query === -1 ? target : target.slice(0, query)
}

/**
 * Whether a target is a path that can be decoded. NOTE: Next fails with a 500 if a path below a dynamic segment cannot
 * be decoded.
 */
function isReadableTarget(url: string): boolean {
  if (!/^\/(?!\/)/.test(url) || url.includes('\\')) return false
  if (!url.includes('%')) return true
  try {
    decodeURIComponent(pathOf(url))
    return true
  } catch (error) {
    if (error instanceof URIError) return false
    throw error
  }
}

/**
 * Refuses an encoded NUL in a path, or in the whole address of a page: PostgreSQL refuses every statement with a NUL in
 * a text. Endpoints check their own query.
 */
export function refuseNul(text: string): EarlyRefusal | null {
  return text.includes('%00') ? refusal('bad_page_request') : null
}

/**
 * Refuses a path, its method or its headers. `hasRoute`: the checks that only pages of Next need are left out. NOTE:
 * Next would render a page for a POST, and deserialize server actions for a `Next-Action` header.
 */
export function refusePath(
  { method, url = '', headers }: Pick<IncomingMessage, 'method' | 'url' | 'headers'>,
  path: string,
  hasRoute: boolean,
): EarlyRefusal | null {
  if (headers['next-action'] !== undefined) return refusal('bad_page_request')
  const refusedNul = refuseNul(hasRoute ? path : url)
  if (refusedNul !== null) return refusedNul
  if (isHidden(path)) return refusal('not_found')
  if (hasRoute) return null
  if (method !== 'GET' && method !== 'HEAD') return refusalOfMethod(['GET', 'HEAD'])
  if (oneTimeResult.test(url) && isInAdvance(headers)) return refusal('prefetch')
  return isReadableByRouter(headers) ? null : refusal('bad_page_request')
}

/** AD-05: the parameter with the handle of a secret that is shown once: rendering the page deletes the secret. */
const oneTimeResult = /(?<=[?&])one_time_result=[^&#]*/

function isInAdvance(headers: IncomingHttpHeaders): boolean {
  const get = (name: string) => String(headers[name] ?? '') || null
  return isPrefetch({ get, has: name => get(name) !== null })
}

/**
 * Returns a target with the path of its endpoint. As in IdentityServer3, the letter case of the endpoints under
 * `/connect` does not matter. All other paths are unchanged.
 */
export function targetOfEndpoint(target: string): string {
  const path = pathOf(target)
  if (!/[A-Z]/.test(path) || !/^\/connect\//i.test(path)) return target
  return path.toLowerCase() + target.slice(path.length)
}

/** Returns the address for Next. RFC 9110 9.3.2: HEAD is safe, so it must not delete a secret that it does not show. */
export function targetOfPage({ method, url = '/' }: Pick<IncomingMessage, 'method' | 'url'>): string {
  return method === 'HEAD' ? url.replace(oneTimeResult, '') : url
}

/**
 * Whether a path is hidden: dot files, source maps, and all addresses of the framework (pages, optimizer, tools) except
 * the built files. NOTE: `%2e%2e` is also a dot segment: `/x/%2e%2e/admin` is `/admin` to the framework, and would be a
 * different path here.
 */
function isHidden(path: string): boolean {
  if (/^\/(_|%5f)(?!next\/static\/)|\.map$/i.test(path)) return true
  if (/(^|\/|%2f)(\.|%2e){1,2}(\/|%2f|$)/i.test(path)) return true
  return /(^|\/|%2f)\.(?!well-known\/)/i.test(path)
}

type RouterStateParser =
  typeof import('next/dist/server/app-render/parse-and-validate-flight-router-state.js')

/**
 * Whether Next's router can read its headers. Otherwise Next writes errors to the log, which any client could cause
 * without a session; see docs/decisions/045-one-host.md. The links of the dashboard send no `next-router-prefetch`, or
 * `1`.
 */
function isReadableByRouter(headers: IncomingHttpHeaders): boolean {
  if ((headers['next-router-prefetch'] ?? '1') !== '1') return false
  const tree = headers['next-router-state-tree']
  if (tree === undefined) return true
  // Loaded only for requests with this header, which links of the dashboard send
  const parser: RouterStateParser = require('next/dist/server/app-render/parse-and-validate-flight-router-state.js')
  try {
    parser.parseAndValidateFlightRouterState(tree)
    return true
  } catch {
    return false
  }
}

function refusalOfMethod(allowed: readonly string[]): EarlyRefusal {
  return { refused: methodRefusal(allowed), headers: { allow: allowed.join(', ') } }
}

export function refusal(reason: ErrorReason, headers: EarlyRefusal['headers'] = {}): EarlyRefusal {
  return { refused: refusalFromReason(reason), headers }
}
