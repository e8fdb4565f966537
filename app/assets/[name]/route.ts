import { hostedRoute } from '#app/_ui/hosted-route.ts'
import { errorReply } from '#lib/http/error-page.ts'
import { refusalFromCode } from '#lib/http/http-refusal.ts'
import { stylesheetReply } from '#lib/http/stylesheet-reply.ts'

/** The stylesheet of the hosted pages. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = hostedRoute('/assets/[name]', {
  isFile: true,
  GET: exchange => {
    const { request, segments } = exchange
    return (
      stylesheetReply(segments.name ?? '', request.headers.get('accept-encoding')) ??
      errorReply(refusalFromCode('not_found'), exchange)
    )
  },
})
