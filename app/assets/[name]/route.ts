import { hostedRoute } from '#app/_ui/hosted-route.ts'
import { errorReply } from '#lib/http/error-page.ts'
import { refusedWith } from '#lib/http/refused.ts'
import { stylesheetReply } from '#lib/http/stylesheet-reply.ts'

/** The stylesheet of the hosted pages. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = hostedRoute('/assets/[name]', {
  isFile: true,
  GET: exchange => {
    const { request, segments } = exchange
    return (
      stylesheetReply(segments.name ?? '', request.headers.get('accept-encoding')) ??
      errorReply(refusedWith('not_found'), exchange)
    )
  },
})
