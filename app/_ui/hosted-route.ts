/** Makes the routes of hosted pages: GET shows a page, POST handles its form, and a refusal is an error page. */

import { createElement, type FunctionComponent } from 'react'
import { pageRoute } from '#app/routes.ts'
import type { Exchange } from '#lib/http/exchange.ts'
import {
  type FrameInput,
  type PageOptions,
  pageFrame,
  pageQuery,
  pageReply,
  type Query,
} from '#lib/http/page-frame.ts'
import { type FormFields, readForm, readFormPairs, readParameters } from '#lib/http/read-params.ts'
import { type Reply, withCookies } from '#lib/http/reply.ts'
import { requireSameOrigin } from '#lib/http/same-origin.ts'
import type { Frame } from '#lib/pages/frame.ts'
import type { Parameters } from '#lib/protocol/wire/parameters.ts'
import type { Services } from '#lib/server/services.ts'

export type PageExchange = Exchange<Services> & { readonly query: Query }
type Handler<E> = (exchange: E) => Reply | Promise<Reply>

/** The route of a page. `POST` handles its form, which has the same address. */
export function hostedPage(pattern: string, show: Handler<PageExchange>, POST?: Handler<Exchange<Services>>) {
  const GET = (exchange: Exchange<Services>) => show({ ...exchange, query: pageQuery(exchange.request) })
  return pageRoute(pattern, POST === undefined ? { GET } : { GET, POST })
}

/** The content of a page with its frame and status, or the reply to send instead of the page. */
export type PageContent<Shown> =
  | {
      readonly shown: Shown
      readonly frame?: FrameInput
      readonly status?: PageOptions
      readonly cookies?: readonly string[]
    }
  | { readonly elsewhere: Reply }

/** Shows a page: `Page` renders the content that `read` returns, unless it returns a reply to send instead. */
export function pendingPage<Shown extends object>(
  read: (page: PageExchange) => Promise<PageContent<Shown>>,
  Page: FunctionComponent<Shown & { readonly frame: Frame }>,
): Handler<PageExchange> {
  return async page => {
    const content = await read(page)
    if ('elsewhere' in content) return content.elsewhere
    const { shown, frame: input, status, cookies = [] } = content
    const frame = pageFrame(page, input)
    return withCookies(pageReply(frame, createElement(Page, { ...shown, frame }), status), cookies)
  }
}

export type FormExchange<F> = Exchange<Services> & { readonly form: F }

/** The route of an address without a page, which only handles a form. */
export function hostedForm(pattern: string, answer: Handler<FormExchange<FormFields>>) {
  return hostedFormOf(pattern, answer, readForm)
}

export function hostedFormOf<F>(
  pattern: string,
  answer: Handler<FormExchange<F>>,
  read: (request: Request) => Promise<F>,
) {
  return pageRoute(pattern, { POST: formHandler(answer, read) })
}

/** Handles a form. `read` reads the body, after a check that a page of this server sent it. */
export function formHandler<F>(
  answer: Handler<FormExchange<F>>,
  read: (request: Request) => Promise<F>,
): Handler<Exchange<Services>> {
  return async exchange => {
    requireSameOrigin(exchange.request, exchange.services.config.issuer)
    return answer({ ...exchange, form: await read(exchange.request) })
  }
}

/** Reads a form in which `scope` can occur several times. */
export async function readPermissionForm(request: Request): Promise<Parameters> {
  return readParameters(await readFormPairs(request), { repeatable: ['scope'] })
}
