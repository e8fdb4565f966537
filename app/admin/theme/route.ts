import { adminPath } from '#lib/admin/access/sign-in.ts'
import { themeCookie } from '#lib/http/cookies.ts'
import { endpoint } from '#lib/http/endpoint.ts'
import { refuseWithPage } from '#lib/http/error-page.ts'
import { readForm } from '#lib/http/read-params.ts'
import { seeOther } from '#lib/http/reply.ts'
import { requireSameOrigin } from '#lib/http/same-origin.ts'
import { readTheme } from '#lib/protocol/theme.ts'
import { openServices } from '#lib/server/services.ts'

/** Stores the theme in a cookie, without requiring a session. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoint(openServices, {
  pattern: '/admin/theme',
  writeRefusal: refuseWithPage,
  POST: async ({ request, services: { config } }) => {
    requireSameOrigin(request, config.issuer)
    const { theme, back } = await readForm(request)
    return seeOther(adminPath(back ?? null), [themeCookie(readTheme(theme), config.issuer)])
  },
})
