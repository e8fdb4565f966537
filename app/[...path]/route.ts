import { pageRoute } from '#app/routes.ts'
import { notFoundReply } from '#lib/http/not-found.ts'

/** Refuses addresses without a route. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = pageRoute('(other)', {
  GET: notFoundReply,
  POST: notFoundReply,
  PUT: notFoundReply,
  PATCH: notFoundReply,
  DELETE: notFoundReply,
})
