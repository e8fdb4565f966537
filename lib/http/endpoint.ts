/** Wraps the handlers of one path: request ID, methods, refusals, headers, CORS and the log line. */
import { authorizeChecks, callerChecks, type Evidence, resultsOfFailure } from '#lib/errors/checks.ts'
import { isOauthError, OauthError } from '#lib/errors/oauth-error.ts'
import type { Event } from '#lib/ports/events.ts'
import type { LastEntry } from '#lib/protocol/request-context.ts'
import type { EndpointName } from '#lib/protocol/vocabulary.ts'
import { readCookies } from './cookies.ts'
import { requestDescription } from './describe-request.ts'
import type { EndpointServices, Exchange, TracedRequest, WriteRefusal } from './exchange.ts'
import { type HttpRefusal, methodRefusal, refusalFromError, refusalFromReason } from './http-refusal.ts'
import { withShortHead } from './page-frame.ts'
import { emptyReply, jsonReply, type Reply, toResponse } from './reply.ts'
import { isFromProxy, requestContext } from './request-context.ts'
import {
  corsHeaders,
  isPreflight,
  preflightHeaders,
  securityHeaders,
  withHeaders,
} from './security-headers.ts'

/** The second argument of a route handler of Next. */
type RouteArguments = { readonly params?: Promise<unknown> }
type RouteHandler = (request: Request, route: RouteArguments) => Promise<Response>
type RouteHandlers = Readonly<
  Record<'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS', RouteHandler>
>

/**
 * Creates the route handlers for every method, equal under Next and under the server's direct routes: HEAD, OPTIONS and 405
 * with `Allow` included. Everything that a handler throws is caught here.
 */
export function endpoint<S extends EndpointServices>(
  services: () => Promise<S>,
  options: EndpointOptions<S>,
): RouteHandlers {
  const handler: RouteHandler = (request, route) => answer(services, options, request, route)
  return {
    GET: handler,
    HEAD: handler,
    POST: handler,
    PUT: handler,
    PATCH: handler,
    DELETE: handler,
    OPTIONS: handler,
  }
}

async function answer<S extends EndpointServices>(
  load: () => Promise<S>,
  options: EndpointOptions<S>,
  request: Request,
  route: RouteArguments,
): Promise<Response> {
  const startedAt = performance.now()
  const { describe, addAnswer } = requestDescription(request, options.pattern)
  const lastEntry: LastEntry = { waiting: null, isAnswered: false }
  const own = { ...requestContext(request), startedAt, describe, lastEntry }
  const services = await load().catch(reportUnstarted)
  if (services === null) return unstartedResponse(own.requestId)
  const traced = beginTrace(services, request, options, own.requestId)
  const context = traced === null ? own : { ...own, traceId: traced.traceId }
  const cookies = readCookies(request.headers.get('cookie'), services.config.issuer)
  const exchange: Exchange<S> = {
    request,
    services,
    context,
    cookies,
    segments: route?.params === undefined ? {} : await segmentsOf(route.params),
  }
  const work = () => traced?.run(() => run(options, exchange)) ?? run(options, exchange)
  const { reply, refused } = await (services.withinRequest?.(context.requestId, work) ?? work())
  addAnswer(reply)
  const sent = withShortHead(reply, exchange)
  lastEntry.isAnswered = true
  traced?.end(sent.status, refused?.reason ?? undefined)
  if (options.isFile !== true || reply.status >= 400) {
    const reason = refused?.reason ?? undefined
    const durationMs = Math.round((performance.now() - startedAt) * 10) / 10
    const { requestId, address } = context
    const line = { method: request.method, pattern: options.pattern, status: sent.status, durationMs }
    services.log.request({ ...line, requestId, address, reason, traceId: traced?.traceId }, lastEntry.waiting)
  }
  return toResponse(sent, request.method === 'HEAD')
}

/** Begins the trace of a request; `null` if there are no traces, or this request is not sampled. */
function beginTrace(
  { tracing }: EndpointServices,
  request: Request,
  { pattern, isFile }: Pick<EndpointOptions<EndpointServices>, 'pattern' | 'isFile'>,
  requestId: string,
): TracedRequest | null {
  if (tracing === undefined || isFile === true) return null
  const traceparent = request.headers.get('traceparent')
  const { method } = request
  return tracing.begin({ method, pattern, requestId, traceparent, isFromProxy: isFromProxy(request) })
}

/** Reports that the resources cannot be opened. There is no log yet: the error goes to standard error, not to the caller. */
function reportUnstarted(error: unknown): null {
  process.emitWarning(
    error instanceof Error
      ? `${error.name}: ${error.message}`
      : 'Latchkey could not open its database or settings.',
  )
  return null
}

/** Waits for the dynamic segments, which Next passes as a promise. */
async function segmentsOf(given: Promise<unknown>): Promise<Readonly<Record<string, string>>> {
  const params = await given
  if (typeof params !== 'object' || params === null) return {}
  return Object.fromEntries(Object.entries(params).filter(entry => typeof entry[1] === 'string'))
}

type Answered = { readonly reply: Reply; readonly refused: HttpRefusal | null }

async function run<S extends EndpointServices>(
  options: EndpointOptions<S>,
  exchange: Exchange<S>,
): Promise<Answered> {
  const { request, services } = exchange
  let headers = ownHeaders(exchange)
  if (isTurnedOff(options, exchange)) {
    const reply = options.writeRefusal(refusalFromReason('not_found'), exchange)
    return { reply: withHeaders(reply, headers), refused: null }
  }
  try {
    if (options.cors === true)
      headers = { ...headers, ...(await corsHeaders(request, services.allowsOrigin)) }
    return { reply: withHeaders(await dispatch(options, exchange), headers), refused: null }
  } catch (error) {
    const refused = refusalFromError(error)
    if (refused.isUnexpected) reportFailure(error, options.pattern, exchange)
    recordRefusal(options, exchange, refused, isOauthError(error) ? error.evidence : null)
    return { reply: withHeaders(options.writeRefusal(refused, exchange), headers), refused }
  }
}

/**
 * Whether the endpoint is turned off for this request (see `alwaysAnswers`). The request is then logged like one for an
 * unknown path, without an event.
 */
function isTurnedOff<S extends EndpointServices>(
  { endpoint, alwaysAnswers }: EndpointOptions<S>,
  { services, request }: Exchange<S>,
): boolean {
  const { enabledEndpoints } = services.config
  if (endpoint === undefined || enabledEndpoints === undefined || enabledEndpoints.has(endpoint)) return false
  return alwaysAnswers?.(request) !== true
}

function reportFailure(error: unknown, pattern: string, { services, context }: Exchange): void {
  services.log.failure(error, { requestId: context.requestId, pattern })
}

function ownHeaders({ services, context }: Exchange): Readonly<Record<string, string>> {
  return { ...securityHeaders(services.config.issuer), 'x-reference-id': context.requestId }
}

type Handler<S extends EndpointServices> = (exchange: Exchange<S>) => Promise<Reply> | Reply

export type EndpointOptions<S extends EndpointServices> = {
  /** The path in the log, with the names of dynamic segments. */
  readonly pattern: string
  readonly writeRefusal: WriteRefusal
  /** The event of a refusal that is answered here; `request_refused` by default, and for a status of 500 or more. */
  readonly refusalEvent?: 'authorize_refused' | 'token_refused'
  /** Whether GET creates or consumes state: prefetches are then refused (AZ-28), and HEAD does not run the handler. */
  readonly getChangesState?: boolean
  /** Whether the path is a static file: only its failures are logged. */
  readonly isFile?: boolean
  /** The name by which the operator can turn the endpoint off: it then responds like an unknown path. */
  readonly endpoint?: EndpointName
  /** Whether the endpoint answers this request even when it is turned off. */
  readonly alwaysAnswers?: (request: Request) => boolean
  /** Whether registered browser origins may call it by script. Never the authorization endpoint (AZ-22). */
  readonly cors?: boolean
  readonly GET?: Handler<S>
  readonly POST?: Handler<S>
  readonly PUT?: Handler<S>
  readonly PATCH?: Handler<S>
  readonly DELETE?: Handler<S>
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/**
 * Runs the handler of the method. OPTIONS, and methods without a handler, are answered here.
 * @throws any error of the handler, and OauthError `invalid_request` for a prefetch that would change state
 */
export function dispatch<S extends EndpointServices>(
  options: EndpointOptions<S>,
  exchange: Exchange<S>,
): Promise<Reply> | Reply {
  const { request } = exchange
  if (request.method === 'OPTIONS') return optionsReply(options, exchange)
  const handler = handlerFor(request.method, options)
  if (handler === undefined) return notAllowed(options, exchange)
  if (options.getChangesState === true && request.method !== 'POST') {
    refusePrefetch(request)
    // RFC 9110 9.3.2: HEAD is supported, and safe: it must not consume state that GET would consume
    if (request.method === 'HEAD') return emptyReply(200)
  }
  return handler(exchange)
}

function handlerFor<S extends EndpointServices>(
  method: string,
  options: EndpointOptions<S>,
): Handler<S> | undefined {
  const asked = methods.find(name => name === (method === 'HEAD' ? 'GET' : method))
  return asked && options[asked]
}

function allowedMethods<S extends EndpointServices>(options: EndpointOptions<S>): readonly string[] {
  const handled = methods.filter(name => options[name] !== undefined)
  return [...handled.flatMap(name => (name === 'GET' ? ['GET', 'HEAD'] : [name])), 'OPTIONS']
}

async function optionsReply<S extends EndpointServices>(
  options: EndpointOptions<S>,
  { request, services }: Exchange<S>,
): Promise<Reply> {
  const allowed = allowedMethods(options)
  const reply = emptyReply(204, { allow: allowed.join(', ') })
  if (options.cors !== true || !isPreflight(request)) return reply
  const cors = await corsHeaders(request, services.allowsOrigin)
  return 'access-control-allow-origin' in cors
    ? withHeaders(reply, preflightHeaders(request, allowed))
    : reply
}

function notAllowed<S extends EndpointServices>(options: EndpointOptions<S>, exchange: Exchange<S>): Reply {
  const allowed = allowedMethods(options)
  const refused = methodRefusal(allowed)
  recordRefusal(options, exchange, refused)
  const reply = options.writeRefusal(refused, exchange)
  return withHeaders(reply, { allow: allowed.join(', ') })
}

export function recordRefusal<S extends EndpointServices>(
  { pattern, refusalEvent }: Pick<EndpointOptions<S>, 'pattern' | 'refusalEvent'>,
  { services, context }: Exchange<S>,
  { reason, status }: Pick<HttpRefusal, 'reason' | 'status'>,
  evidence: Evidence | null = null,
): void {
  if (reason === null || reason === 'admin_not_allowed') return
  const sent: Event['details'] = evidence?.sent === undefined ? {} : { sent: evidence.sent }
  const event = { outcome: 'failure', reason, details: { endpoint: pattern, ...sent } } as const
  // An internal error is not a fault of the request
  if (refusalEvent === undefined || status >= 500) {
    services.events?.record({ ...event, name: 'request_refused' }, context)
    return
  }
  const names = refusalEvent === 'authorize_refused' ? authorizeChecks : callerChecks
  const checks = resultsOfFailure(names, 'request_read', evidence)
  services.events?.record({ ...event, name: refusalEvent, checks }, context)
}

const purposeHeaders = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'] as const

/**
 * Refuses prefetches, which must neither create nor consume state.
 * @throws OauthError `invalid_request`
 */
export function refusePrefetch(request: Request): void {
  if (isPrefetch(request.headers)) {
    throw new OauthError('prefetch')
  }
}

export function isPrefetch(headers: Pick<Headers, 'get' | 'has'>): boolean {
  if (headers.has('next-router-prefetch')) return true
  return purposeHeaders.some(name => /\b(prefetch|prerender|preview)\b/i.test(headers.get(name) ?? ''))
}

const retryAfterSeconds = '5'

/** Makes the response while the services cannot be opened: not even the issuer is known. */
export function unstartedResponse(requestId: string): Response {
  const reply = jsonReply(503, {
    error: 'temporarily_unavailable',
    error_description: 'The service is not ready. Try again shortly.',
  })
  const headers = {
    ...securityHeaders('http:'),
    'retry-after': retryAfterSeconds,
    'x-reference-id': requestId,
  }
  return toResponse(withHeaders(reply, headers), false)
}
