import { pageRoute } from '#app/routes.ts'
import { endAdminSession } from '#lib/admin/access/admin-session.ts'
import { endedAdminCookie } from '#lib/http/cookies.ts'
import { seeOther } from '#lib/http/reply.ts'
import { requireSameOrigin } from '#lib/http/same-origin.ts'

/** Ends the admin session and redirects to the sign-out of the browser session. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = pageRoute('/admin/sign-out', {
  POST: async ({ request, cookies, services }) => {
    requireSameOrigin(request, services.config.issuer)
    await endAdminSession(services.admin, cookies.admin)
    return seeOther('/logout', [endedAdminCookie(services.config.issuer)])
  },
})
