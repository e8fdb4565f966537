/**
 * Who asked. The address and the request ID come in headers with which this HTTP server passes facts to the routes; under
 * any other host these headers prove nothing.
 */
import type { RequestContext } from '#lib/protocol/request-context.ts'
import { createRequestId } from './request-id.ts'

const longestUserAgent = 256

/** Who asked, and the reference under which the log knows it. The server's own stamp wins over a fresh reference. */
export function requestContext(request: { readonly headers: Pick<Headers, 'get'> }): RequestContext {
  return {
    requestId: stamped(request, referenceHeader) ?? createRequestId(),
    address: stamped(request, addressHeader),
    userAgent: request.headers.get('user-agent')?.slice(0, longestUserAgent) ?? null,
  }
}

export const addressHeader = 'x-latchkey-address'
export const referenceHeader = 'x-latchkey-reference'

const mark = Symbol.for('latchkey.stamping-host')

/** Called once by the server that removes these headers from every request before it sets its own. */
export function declareStampingHost(): void {
  Reflect.set(globalThis, mark, true)
}

/** Whether that server is the one that answers in this process. */
export function hasStampingHost(): boolean {
  return Reflect.get(globalThis, mark) === true
}

/** The stamped value; `null` if this HTTP server did not stamp it. */
function stamped(request: { readonly headers: Pick<Headers, 'get'> }, header: string): string | null {
  return hasStampingHost() ? request.headers.get(header) : null
}
