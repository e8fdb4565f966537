import { hostedForm } from '#app/_ui/hosted-route.ts'
import { adminPath } from '#lib/admin/access/sign-in.ts'
import { themeCookie } from '#lib/http/cookies.ts'
import { seeOther } from '#lib/http/reply.ts'
import { readTheme } from '#lib/protocol/theme.ts'

/** Stores the theme in a cookie, without requiring a session. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = hostedForm(
  '/admin/theme',
  ({ form: { theme, back }, services: { config } }) =>
    seeOther(adminPath(back ?? null), [themeCookie(readTheme(theme), config.issuer)]),
)
