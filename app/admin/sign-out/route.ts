import { endAdminSession } from '#lib/admin/access/admin-session.ts'
import { endedAdminCookie } from '#lib/http/cookies.ts'
import { endpoint } from '#lib/http/endpoint.ts'
import { refuseWithPage } from '#lib/http/error-page.ts'
import { seeOther } from '#lib/http/reply.ts'
import { requireSameOrigin } from '#lib/http/same-origin.ts'
import { openServices } from '#lib/server/services.ts'

/** Ends the admin session and redirects to the sign-out of the browser session. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoint(openServices, {
  pattern: '/admin/sign-out',
  writeRefusal: refuseWithPage,
  POST: async ({ request, cookies, services }) => {
    requireSameOrigin(request, services.config.issuer)
    await endAdminSession(services.admin, cookies.admin)
    return seeOther('/logout', [endedAdminCookie(services.config.issuer)])
  },
})
