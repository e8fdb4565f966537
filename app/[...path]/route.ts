import { pageRoute } from '#app/routes.ts'
import { errorReply } from '#lib/http/error-page.ts'
import type { Exchange } from '#lib/http/exchange.ts'
import { refusalFromCode } from '#lib/http/http-refusal.ts'
import { isForPage } from '#lib/http/page-requests.ts'
import type { Reply } from '#lib/http/reply.ts'
import { refuseWithJson } from '#lib/http/respond-json.ts'

/**
 * Refuses addresses without a route: with a page, or with JSON for programs. Records no event, because anyone can invent
 * addresses.
 */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = pageRoute('(other)', {
  GET: notFound,
  POST: notFound,
  PUT: notFound,
  PATCH: notFound,
  DELETE: notFound,
})

function notFound(exchange: Exchange): Reply {
  const refused = refusalFromCode('not_found')
  return isForPage(exchange.request) ? errorReply(refused, exchange) : refuseWithJson(refused)
}
