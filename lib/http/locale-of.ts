import { type Locale, negotiateLocale } from '#lib/i18n/locales.ts'
import { parseUiLocales } from '#lib/protocol/wire/authorize-params.ts'
import type { Exchange } from './exchange.ts'

/** The language for a page made outside React: saved choice, then `ui_locales`, then the browser's. */
export function localeOf(
  { request, cookies }: Pick<Exchange, 'request' | 'cookies'>,
  uiLocales: readonly string[] = askedFor(request),
): Locale {
  return negotiateLocale({
    saved: cookies.locale,
    uiLocales,
    acceptLanguage: request.headers.get('accept-language'),
  })
}

/** By the query itself, also where that is refused (OpenID Connect Core 3.1.2.1). */
function askedFor(request: Request): readonly string[] {
  return parseUiLocales(new URL(request.url).searchParams.get('ui_locales') ?? '')
}
