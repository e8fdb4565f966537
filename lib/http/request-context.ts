/**
 * The sender of a request. The server passes the address and the request ID to the routes in headers; under any other host
 * these headers prove nothing.
 */
import type { RequestContext } from '#lib/protocol/request-context.ts'
import { createRequestId } from './request-id.ts'

const longestUserAgent = 256

/** Returns the sender of a request, and its request ID: the one that the server has set, otherwise a new one. */
export function requestContext(request: { readonly headers: Pick<Headers, 'get'> }): RequestContext {
  return {
    requestId: stamped(request, referenceHeader) ?? createRequestId(),
    address: stamped(request, addressHeader),
    userAgent: request.headers.get('user-agent')?.slice(0, longestUserAgent) ?? null,
  }
}

export const addressHeader = 'x-latchkey-address'
export const referenceHeader = 'x-latchkey-reference'
/** Set for requests from trusted proxies, if there are traces. */
export const proxyHeader = 'x-latchkey-proxy'

/** Whether the request came from a trusted proxy. Known only if there are traces. */
export function isFromProxy(request: { readonly headers: Pick<Headers, 'get'> }): boolean {
  return stamped(request, proxyHeader) !== null
}

const mark = Symbol.for('latchkey.stamping-host')

/**
 * Declares that this process stamps requests. Called once by the server that removes these headers from every request
 * before it sets its own.
 */
export function declareStampingHost(): void {
  Reflect.set(globalThis, mark, true)
}

/** Whether the stamping server runs in this process. */
export function hasStampingHost(): boolean {
  return Reflect.get(globalThis, mark) === true
}

/** Returns the value that the server has set; `null` if it did not. */
function stamped(request: { readonly headers: Pick<Headers, 'get'> }, header: string): string | null {
  return hasStampingHost() ? request.headers.get(header) : null
}
