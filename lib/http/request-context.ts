import type { RequestContext } from '#lib/protocol/request-context.ts'
import { createRequestId } from './request-id.ts'
import { addressHeader, referenceHeader, stamped } from './stamped-headers.ts'

const longestUserAgent = 256

/** Who asked, and the reference under which the log knows it. The server's own stamp wins over a fresh reference. */
export function requestContext(request: { readonly headers: Pick<Headers, 'get'> }): RequestContext {
  return {
    requestId: stamped(request, referenceHeader) ?? createRequestId(),
    address: stamped(request, addressHeader),
    userAgent: request.headers.get('user-agent')?.slice(0, longestUserAgent) ?? null,
  }
}
