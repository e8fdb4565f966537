/**
 * The first code that handles a request: refuses it if it is invalid, cleans its headers, and passes it to an endpoint
 * or to Next.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { apiRoot } from '#lib/admin/api/root.ts'
import { server as limits } from '#lib/config/limits.ts'
import { isOnlyLogged } from '#lib/http/error-page.ts'
import type { EndpointServices, RequestLog } from '#lib/http/exchange.ts'
import { asciiAddress, emptyReply } from '#lib/http/reply.ts'
import { addressHeader, proxyHeader, referenceHeader, requestContext } from '#lib/http/request-context.ts'
import { createRequestId } from '#lib/http/request-id.ts'
import type { Events } from '#lib/ports/events.ts'
import { isDraining } from '../readiness.ts'
import { type AdminAllowList, addressRefusedEvent, addressRefusedReply } from './admin-allow-list.ts'
import { cleanPath, type Listener, type RouteTable } from './direct-routes.ts'
import type { pageListener } from './page-listener.ts'
import { rememberRequest } from './refuse-broken.ts'
import {
  type EarlyRefusal,
  isApiPath,
  pathOf,
  refusal,
  refuseMethod,
  refuseNul,
  refuseOversized,
  refusePath,
  refuseTarget,
  targetOfEndpoint,
  targetOfPage,
} from './refuse-early.ts'
import {
  type AddressReader,
  addHeader,
  addMissingHost,
  isForwardingHeader,
  type proxyCheck,
  removeHeaders,
} from './request-headers.ts'
import {
  crossOriginHeaders,
  errorPageReader,
  type ReceivedRequest,
  writeEarly,
  writeRefusal,
} from './write-early.ts'

export type Hosts = {
  readonly config: EndpointServices['config']
  readonly log: RequestLog
  readonly direct: RouteTable
  readonly pages: ReturnType<typeof pageListener>
  readonly readAddress: AddressReader
  readonly refusesAddress: AdminAllowList
  /** Whether a trusted proxy sent the request; absent if there are no traces. */
  readonly isFromProxy?: ReturnType<typeof proxyCheck> | undefined
  readonly events: Events
  readonly allowsOrigin: EndpointServices['allowsOrigin']
  /** Whether requests of Next's development tools are accepted. */
  readonly isDevelopment: boolean
}

type CheckedRequest = ReceivedRequest & { readonly address: string }

export function requestListener(hosts: Hosts): Listener {
  const { config, log, direct, pages, readAddress, refusesAddress, isFromProxy, isDevelopment } = hosts
  const refuse = async (request: CheckedRequest, refusal: EarlyRefusal) => {
    const { refused, headers } = refusal
    recordEarly(request, refusal, hosts.events)
    const cors = crossOriginHeaders(request.incoming, hosts.allowsOrigin)
    const added = cors === null ? headers : { ...headers, ...(await cors) }
    writeRefusal(request, { refused, headers: added }, config)
    log.request(lineOf(request, refused.status, refused.reason))
  }
  const { host } = new URL(config.issuer)
  return (incoming, outgoing) => {
    if (isDraining()) outgoing.setHeader('connection', 'close')
    const address = readAddress(incoming)
    const requestId = createRequestId()
    const request = { incoming, outgoing, requestId, address }
    rememberRequest(request)
    discardUnread(incoming, outgoing)
    const oversized = refuseOversized(incoming)
    if (oversized !== null) return refuse(request, oversized)
    const refusedMethod = refuseMethod(incoming)
    if (refusedMethod !== null) return refusedMethod.then(refusal => refuse(request, refusal))
    addMissingHost(incoming, host)
    const refusedTarget = refuseTarget(incoming)
    if (refusedTarget !== null) return refuse(request, refusedTarget)
    stamp(incoming, address, requestId)
    if (isFromProxy?.(incoming) === true) addHeader(incoming, proxyHeader, '1')
    incoming.url = targetOfEndpoint(incoming.url ?? '/')
    const path = pathOf(incoming.url)
    if (refusesAddress(path, address)) return refuseAddress(request, path, hosts)
    // Covers every address below the API, including those without a route
    const api = isApiPath(path) ? direct.get(`${apiRoot}/any`) : undefined
    if (api !== undefined) {
      const refusedNul = refuseNul(path)
      return refusedNul === null ? api(incoming, outgoing) : refuse(request, refusedNul)
    }
    const route = direct.get(path)
    const isTool = isDevelopment && /^\/_+next/.test(path)
    const isClean = isDevelopment || cleanPath(path) === path
    const isOurs = route !== undefined || isDevelopment || !isClean
    const refusedPath = isTool ? null : refusePath(incoming, path, isOurs)
    if (refusedPath !== null) return refuse(request, refusedPath)
    if (route !== undefined) return route(incoming, outgoing)
    if (!isClean && (incoming.url?.length ?? 0) > limits.locationCharacters)
      return refuse(request, refusal('address_too_long'))
    if (!isClean) return redirectToClean(request, path, hosts)
    incoming.url = targetOfPage(incoming)
    pages(incoming, outgoing, { path, requestId, address })
  }
}

/**
 * AD-09: refuses the address of the caller. The refusal is recorded as an event, because the page shows a request ID.
 */
function refuseAddress(request: CheckedRequest, path: string, { config, log, events }: Hosts): void {
  const { incoming, requestId } = request
  const { siteName, issuer } = config
  const { theme } = errorPageReader(incoming, issuer)
  const event = addressRefusedEvent(path)
  const reply = addressRefusedReply(path, { siteName, requestId, theme })
  events.record(event, contextOf(request))
  writeEarly(request, reply, config)
  log.request(lineOf(request, reply.status, event.reason))
}

/**
 * Records an early refusal as an event, because the response shows a request ID. Refusals that are only logged have no
 * event.
 */
function recordEarly(request: CheckedRequest, { refused }: EarlyRefusal, events: Events): void {
  if (refused.reason === null || isOnlyLogged(refused)) return
  events.record({ name: 'request_refused', outcome: 'failure', reason: refused.reason }, contextOf(request))
}

/** Returns the context of an event. It works before the request is stamped. */
function contextOf({ incoming: { headers }, requestId, address }: CheckedRequest) {
  const get = (name: string) => String(headers[name] ?? '') || null
  return { ...requestContext({ headers: { get } }), requestId, address }
}

/** Redirects to the normal form of the path with status 308, like Next: a POST remains a POST. */
async function redirectToClean(request: CheckedRequest, path: string, hosts: Hosts): Promise<void> {
  const { config, log, allowsOrigin } = hosts
  const location = `${cleanPath(path)}${(request.incoming.url ?? '').slice(path.length)}`
  const cors = (await crossOriginHeaders(request.incoming, allowsOrigin)) ?? {}
  const reply = emptyReply(308, { ...cors, location: asciiAddress(location) })
  writeEarly(request, reply, config)
  log.request({ ...lineOf(request, 308, null), pattern: '(other)' })
}

function lineOf(
  { incoming, requestId, address }: CheckedRequest,
  status: number,
  reason: string | null | undefined,
) {
  const method = incoming.method ?? ''
  const pattern = '(refused)'
  return { requestId, method, pattern, status, durationMs: 0, address, reason: reason ?? undefined }
}

function stamp(incoming: IncomingMessage, address: string, requestId: string): void {
  removeHeaders(incoming, isSetByServer)
  addHeader(incoming, addressHeader, address)
  addHeader(incoming, referenceHeader, requestId)
}

/**
 * Whether a header must be removed if the client sent it: this server sets it (the nonce, the stamps), a proxy sets it,
 * or Next uses it internally.
 */
function isSetByServer(name: string): boolean {
  return (
    /^(x-(latchkey-|middleware-|nonce$)|content-security-policy(-report-only)?$)/.test(name) ||
    isForwardingHeader(name)
  )
}

/**
 * Reads and discards the rest of a body after the response. NOTE: endpoints stop reading at the limit; without this,
 * the next request on the connection would wait behind the rest until its time limit (LIM-02).
 */
function discardUnread(incoming: IncomingMessage, outgoing: ServerResponse): void {
  const { 'content-length': length, 'transfer-encoding': encoding } = incoming.headers
  if (length === undefined && encoding === undefined) return
  // Runs before Node's own listener, which may close the connection
  outgoing.prependOnceListener('finish', () => {
    if (!incoming.complete) discard(incoming)
  })
}

/** Discards the rest of a body. Closes the connection if the client sends for too long, or too much. */
function discard(incoming: IncomingMessage): void {
  incoming.unpipe()
  // The listeners that stopped reading would stop it again
  for (const event of ['data', 'readable']) incoming.removeAllListeners(event)
  const close = postponeClose(incoming)
  let bytesLeft: number = limits.lingerBytes
  incoming.on('data', (chunk: Buffer) => {
    bytesLeft -= chunk.length
    if (bytesLeft < 0) close()
  })
  incoming.resume()
  const cut = setTimeout(close, limits.lingerMs).unref()
  incoming.once('close', () => {
    clearTimeout(cut)
    close()
  })
}

/**
 * Postpones closing the connection until the returned function is called. NOTE: Node immediately closes a connection
 * without further requests. If the client is still sending, this resets the connection and the response is lost; so
 * until then only the sending side is closed.
 */
function postponeClose(incoming: IncomingMessage): () => void {
  const { socket } = incoming
  let isWanted = false
  socket.destroySoon = () => {
    isWanted = true
    socket.end()
  }
  let isClosed = false
  return () => {
    if (isClosed) return
    isClosed = true
    Reflect.deleteProperty(socket, 'destroySoon')
    if (isWanted || !incoming.complete) socket.destroySoon()
  }
}
