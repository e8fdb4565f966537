import { pageRoute } from '#app/routes.ts'
import { seeOther } from '#lib/http/reply.ts'

/** UXC-26: the address to which password managers send users; those without a password continue on their account page. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = pageRoute('/.well-known/change-password', {
  GET: () => seeOther('/account/password'),
})
