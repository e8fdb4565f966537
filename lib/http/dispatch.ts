/** Picks the handler by method. HEAD, OPTIONS and 405 behave the same on every path and in every host (AZ-23). */
import { corsHeaders, isPreflight, preflightHeaders } from './cors.ts'
import type { EndpointServices, Exchange, WriteRefusal } from './exchange.ts'
import { refusePrefetch } from './prefetch.ts'
import { refusedWith } from './refused.ts'
import { emptyReply, type Reply } from './reply.ts'
import { withHeaders } from './security-headers.ts'

type Handler<S extends EndpointServices> = (exchange: Exchange<S>) => Promise<Reply> | Reply

export type EndpointOptions<S extends EndpointServices> = {
  /** The path as the log knows it, dynamic segments by name. */
  readonly pattern: string
  readonly refuse: WriteRefusal
  /** GET creates or uses up state: it is refused to prefetchers (AZ-28), and HEAD does not run it. */
  readonly getChangesState?: boolean
  /** Registered browser origins may call it by script. Never the authorization endpoint (AZ-22). */
  readonly cors?: boolean
  readonly GET?: Handler<S>
  readonly POST?: Handler<S>
}

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
  if (method === 'POST') return options.POST
  if (method === 'GET') return options.GET
  return method === 'HEAD' ? options.GET : undefined
}

function allowedMethods<S extends EndpointServices>(options: EndpointOptions<S>): readonly string[] {
  return [
    ...(options.GET === undefined ? [] : ['GET', 'HEAD']),
    ...(options.POST === undefined ? [] : ['POST']),
    'OPTIONS',
  ]
}

async function optionsReply<S extends EndpointServices>(
  options: EndpointOptions<S>,
  { request, services }: Exchange<S>,
): Promise<Reply> {
  const methods = allowedMethods(options)
  const reply = emptyReply(204, { allow: methods.join(', ') })
  if (options.cors !== true || !isPreflight(request)) return reply
  const cors = await corsHeaders(request, services.allowsOrigin)
  return 'access-control-allow-origin' in cors ? withHeaders(reply, preflightHeaders(methods)) : reply
}

function notAllowed<S extends EndpointServices>(options: EndpointOptions<S>, exchange: Exchange<S>): Reply {
  const reply = options.refuse(refusedWith('method_not_allowed'), exchange)
  return withHeaders(reply, { allow: allowedMethods(options).join(', ') })
}
