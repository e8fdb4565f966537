import { endpoint } from '#lib/http/endpoint.ts'
import { errorReply, refuseWithPage } from '#lib/http/error-page.ts'
import { refusedWith } from '#lib/http/refused.ts'
import { stylesheetReply } from '#lib/http/stylesheet-reply.ts'
import { services } from '#lib/server/services.ts'

/** The stylesheet of the hosted pages. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoint(services, {
  pattern: '/assets/[name]',
  refuse: refuseWithPage,
  isFile: true,
  GET: exchange => {
    const { request, segments } = exchange
    return (
      stylesheetReply(segments.name ?? '', request.headers.get('accept-encoding')) ??
      errorReply(refusedWith('not_found'), exchange)
    )
  },
})
