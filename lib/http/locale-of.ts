import { type Locale, negotiateLocale } from '#lib/i18n/locales.ts'
import { scopeWords } from '#lib/protocol/scope.ts'
import type { Exchange } from './exchange.ts'

/** The language for a page made outside React: saved choice, then `ui_locales`, then the browser's. */
export function localeOf(
  { request, cookies }: Pick<Exchange, 'request' | 'cookies'>,
  uiLocales = '',
): Locale {
  return negotiateLocale({
    saved: cookies.locale,
    uiLocales: scopeWords(uiLocales),
    acceptLanguage: request.headers.get('accept-language'),
  })
}
