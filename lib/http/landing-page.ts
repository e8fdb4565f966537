/**
 * A page that goes on by itself to an address of ours. A redirect would carry on the navigation that may have begun at
 * an identity provider, and then browsers keep `SameSite=Strict` cookies back; a page of ours begins a new one.
 */
import { translate } from '#lib/i18n/translate.ts'
import type { Exchange } from './exchange.ts'
import { escapeHtml, plainPage } from './html.ts'
import { localeOf } from './locale-of.ts'
import { htmlReply, type Reply } from './reply.ts'

const policy =
  "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** `address` is a path of this origin, percent-encoded. */
export function landingReply(exchange: Exchange, address: string): Reply {
  const { theme } = exchange.cookies
  const { siteName } = exchange.services.config
  const locale = localeOf(exchange)
  const t = translate(locale)
  const body = `<a class="btn primary wide" href="${escapeHtml(address)}">${escapeHtml(t('landing.action'))}</a>`
  const html = plainPage({ locale, theme, siteName, title: t('landing.title'), body })
  return htmlReply(200, html, {
    'content-security-policy': policy,
    refresh: `0;url=${address}`,
  })
}
