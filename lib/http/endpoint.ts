/** Wraps the handlers of one path: reference id, methods, refusals, headers, CORS and the log line, in one place. */
import { readCookies } from './cookies.ts'
import { corsHeaders } from './cors.ts'
import { requestDescription } from './describe-request.ts'
import { dispatch, type EndpointOptions } from './dispatch.ts'
import type { EndpointServices, Exchange } from './exchange.ts'
import { recordRefusal } from './record-refusal.ts'
import { type Refused, refusedBy } from './refused.ts'
import { type Reply, toResponse } from './reply.ts'
import { requestContext } from './request-context.ts'
import { securityHeaders, withHeaders } from './security-headers.ts'
import { unstartedResponse } from './unstarted-response.ts'

/** The second argument of a route handler of Next. */
type RouteArguments = { readonly params?: Promise<unknown> }
type RouteHandler = (request: Request, route: RouteArguments) => Promise<Response>
type RouteHandlers = Readonly<
  Record<'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS', RouteHandler>
>

/**
 * Route handlers for every method, the same under Next and under our own server: HEAD, OPTIONS and 405 with `Allow`
 * included. Nothing a handler throws gets past it.
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
  const { describe, settle } = requestDescription(request, options.pattern)
  const context = { ...requestContext(request), describe }
  const services = await load().catch(reportUnstarted)
  if (services === null) return unstartedResponse(context.referenceId)
  const cookies = readCookies(request.headers.get('cookie'), services.config.issuer)
  const exchange: Exchange<S> = { request, services, context, cookies, segments: await segmentsOf(route) }
  const { reply, refused } = await run(options, exchange)
  settle(reply)
  if (options.isFile !== true || reply.status >= 400) {
    const reason = refused?.reason ?? undefined
    writeLine(options.pattern, exchange, { status: reply.status, startedAt, reason })
  }
  return toResponse(reply, request.method === 'HEAD')
}

/** The resources cannot be opened, so there is no log yet: the error goes to standard error, not to the caller. */
function reportUnstarted(error: unknown): null {
  process.emitWarning(
    error instanceof Error ? `${error.name}: ${error.message}` : 'The services did not open.',
  )
  return null
}

/** Next hands segments over as a promise; the paths that our own server serves have none. */
async function segmentsOf(route: RouteArguments | undefined): Promise<Readonly<Record<string, string>>> {
  if (route?.params === undefined) return {}
  const params: unknown = await route.params
  if (typeof params !== 'object' || params === null) return {}
  return Object.fromEntries(Object.entries(params).filter(entry => typeof entry[1] === 'string'))
}

type Answered = { readonly reply: Reply; readonly refused: Refused | null }

async function run<S extends EndpointServices>(
  options: EndpointOptions<S>,
  exchange: Exchange<S>,
): Promise<Answered> {
  const { request, services } = exchange
  let headers = ownHeaders(exchange)
  try {
    if (options.cors === true)
      headers = { ...headers, ...(await corsHeaders(request, services.allowsOrigin)) }
    return { reply: withHeaders(await dispatch(options, exchange), headers), refused: null }
  } catch (error) {
    const refused = refusedBy(error)
    if (refused.isUnexpected) reportFailure(error, options.pattern, exchange)
    recordRefusal(options, exchange, refused)
    return { reply: withHeaders(options.refuse(refused, exchange), headers), refused }
  }
}

function reportFailure(error: unknown, pattern: string, { services, context }: Exchange): void {
  services.log.failure(error, { referenceId: context.referenceId, pattern })
}

function ownHeaders({ services, context }: Exchange): Readonly<Record<string, string>> {
  return { ...securityHeaders(services.config.issuer), 'x-reference-id': context.referenceId }
}

function writeLine(
  pattern: string,
  { services, context, request }: Exchange,
  outcome: { status: number; startedAt: number; reason: string | undefined },
): void {
  services.log.request({
    referenceId: context.referenceId,
    method: request.method,
    pattern,
    status: outcome.status,
    durationMs: Math.round((performance.now() - outcome.startedAt) * 10) / 10,
    address: context.address,
    reason: outcome.reason,
  })
}
