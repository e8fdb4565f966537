import type { IncomingMessage } from 'node:http'
import { readCookies } from '#lib/http/cookies.ts'
import { type ErrorPageReader, isInDashboard } from '#lib/http/error-page.ts'
import { negotiateLocale } from '#lib/i18n/locales.ts'

/** Who will read an error page that no endpoint writes, as far as the request tells. */
export function errorPageReader({ headers, url = '/' }: IncomingMessage, issuer: string): ErrorPageReader {
  const { locale: saved, theme } = readCookies(headers.cookie ?? null, issuer)
  const acceptLanguage = headers['accept-language'] ?? null
  const [path = '/'] = url.split('?', 1)
  return {
    locale: negotiateLocale({ saved, uiLocales: [], acceptLanguage }),
    theme,
    isInDashboard: isInDashboard(path),
  }
}
