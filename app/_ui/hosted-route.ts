/** The routes of the hosted pages: a page answers GET, its form answers POST, and a refusal is an error page. */
import { type EndpointOptions, endpoint } from '#lib/http/endpoint.ts'
import { refuseWithPage } from '#lib/http/error-page.ts'
import type { Exchange } from '#lib/http/exchange.ts'
import { pageQuery, type Query } from '#lib/http/page-frame.ts'
import { type FormFields, readForm } from '#lib/http/read-params.ts'
import type { Reply } from '#lib/http/reply.ts'
import { requireSameOrigin } from '#lib/http/same-origin.ts'
import { openServices, type Services } from '#lib/server/services.ts'

export type PageExchange = Exchange<Services> & { readonly query: Query }
export type FormExchange = Exchange<Services> & { readonly form: FormFields }
type Handler<E> = (exchange: E) => Reply | Promise<Reply>

export function hostedPage(pattern: string, show: Handler<PageExchange>) {
  return hostedRoute(pattern, {
    GET: exchange => show({ ...exchange, query: pageQuery(exchange.request) }),
  })
}

/** `read` turns the body into fields, once it is known that a page of this server sent it. */
export function hostedForm(pattern: string, answer: Handler<FormExchange>, read = readForm) {
  return hostedRoute(pattern, {
    POST: async exchange => {
      requireSameOrigin(exchange.request, exchange.services.config.issuer)
      return answer({ ...exchange, form: await read(exchange.request) })
    },
  })
}

export function hostedRoute(pattern: string, options: Omit<EndpointOptions<Services>, 'pattern' | 'refuse'>) {
  return endpoint(openServices, { pattern, refuse: refuseWithPage, ...options })
}
