/** Picks the handler by method. HEAD, OPTIONS and 405 behave the same on every path and in every host (AZ-23). */
import { corsHeaders, isPreflight, preflightHeaders } from './cors.ts'
import type { EndpointServices, Exchange, WriteRefusal } from './exchange.ts'
import { refusePrefetch } from './prefetch.ts'
import { refusedFor } from './refused.ts'
import { emptyReply, type Reply } from './reply.ts'
import { withHeaders } from './security-headers.ts'

type Handler<S extends EndpointServices> = (exchange: Exchange<S>) => Promise<Reply> | Reply

export type EndpointOptions<S extends EndpointServices> = {
  /** The path as the log knows it, dynamic segments by name. */
  readonly pattern: string
  readonly refuse: WriteRefusal
  /** The event of a refusal before the core runs; `request_refused` by default. */
  readonly refusal?: 'authorize_refused' | 'token_refused'
  /** GET creates or uses up state: it is refused to prefetchers (AZ-28), and HEAD does not run it. */
  readonly getChangesState?: boolean
  /** A static file: only its failures are logged. */
  readonly isFile?: boolean
  /** Registered browser origins may call it by script. Never the authorization endpoint (AZ-22). */
  readonly cors?: boolean
  readonly GET?: Handler<S>
  readonly POST?: Handler<S>
  readonly PUT?: Handler<S>
  readonly PATCH?: Handler<S>
  readonly DELETE?: Handler<S>
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/** @throws whatever the handler throws, and OauthError `invalid_request` for a prefetch that would change state */
export async function dispatch<S extends EndpointServices>(
  options: EndpointOptions<S>,
  exchange: Exchange<S>,
): Promise<Reply> {
  const { request } = exchange
  if (request.method === 'OPTIONS') return optionsReply(options, exchange)
  const handler = handlerFor(request.method, options)
  if (handler === undefined) return notAllowed(options, exchange)
  if (options.getChangesState === true && request.method !== 'POST') {
    refusePrefetch(request)
    // RFC 9110 9.3.2: HEAD is supported, and safe: it must not spend what GET would spend
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
  return 'access-control-allow-origin' in cors ? withHeaders(reply, preflightHeaders(allowed)) : reply
}

function notAllowed<S extends EndpointServices>(options: EndpointOptions<S>, exchange: Exchange<S>): Reply {
  const reply = options.refuse(refusedFor('method_not_allowed'), exchange)
  return withHeaders(reply, { allow: allowedMethods(options).join(', ') })
}
