import { localeCookie } from '#lib/http/cookies.ts'
import { endpoint } from '#lib/http/endpoint.ts'
import { refuseWithPage } from '#lib/http/error-page.ts'
import { readForm } from '#lib/http/read-params.ts'
import { seeOther } from '#lib/http/reply.ts'
import { requireSameOrigin } from '#lib/http/same-origin.ts'
import { readLocale } from '#lib/i18n/locales.ts'
import { localPath } from '#lib/protocol/wire/local-paths.ts'
import { services } from '#lib/server/services.ts'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoint(services, {
  pattern: '/language',
  refuse: refuseWithPage,
  POST: async ({ request, services: s }) => {
    requireSameOrigin(request, s.config.issuer)
    const { locale, back } = await readForm(request)
    const chosen = readLocale(locale)
    return seeOther(localPath(back, '/'), chosen === null ? [] : [localeCookie(chosen, s.config.issuer)])
  },
})
