import { hostedForm } from '#app/_ui/hosted-route.ts'
import { localeCookie } from '#lib/http/cookies.ts'
import { seeOther } from '#lib/http/reply.ts'
import { readLocale } from '#lib/i18n/locales.ts'
import { localPath } from '#lib/protocol/wire/local-paths.ts'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = hostedForm(
  '/language',
  ({ form: { locale, back }, services }) => {
    const chosen = readLocale(locale)
    return seeOther(
      localPath(back, '/'),
      chosen === null ? [] : [localeCookie(chosen, services.config.issuer)],
    )
  },
)
