import { pageRoute } from '#app/routes.ts'
import { notFoundReply } from '#lib/http/not-found.ts'
import { textReply } from '#lib/http/reply.ts'

/** Answers requests with the token of the metrics. All others are answered as if the address had no route. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = pageRoute('/metrics', {
  GET: async exchange => {
    const { request, services } = exchange
    if (services.metrics?.allows(request.headers.get('authorization')) !== true)
      return notFoundReply(exchange)
    const { contentType, text } = await services.metrics.read(request.headers.get('accept'))
    return textReply(text, contentType)
  },
  POST: notFoundReply,
  PUT: notFoundReply,
  PATCH: notFoundReply,
  DELETE: notFoundReply,
})
