import { endpoint } from '#lib/http/endpoint.ts'
import { refuseWithPage } from '#lib/http/error-page.ts'
import { seeOther } from '#lib/http/reply.ts'
import { openServices } from '#lib/server/services.ts'

/** UXC-26: the address to which password managers send users. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoint(openServices, {
  pattern: '/.well-known/change-password',
  writeRefusal: refuseWithPage,
  GET: () => seeOther('/account'),
})
