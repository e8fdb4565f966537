/** The answer of an address without a route: a page, or JSON for programs. No event, because anyone can invent addresses. */
import { errorReply } from './error-page.ts'
import type { Exchange } from './exchange.ts'
import { refusalFromCode } from './http-refusal.ts'
import { isForPage } from './page-requests.ts'
import type { Reply } from './reply.ts'
import { refuseWithJson } from './respond-json.ts'

export function notFoundReply(exchange: Exchange): Reply {
  const refused = refusalFromCode('not_found')
  return isForPage(exchange.request) ? errorReply(refused, exchange) : refuseWithJson(refused)
}
