/** The page for refusals that may not be redirected: plain HTML, the right status, never a `Location` (AZ-03). */
import { catalog, type ErrorCode } from '#lib/errors/catalog.ts'
import type { Locale } from '#lib/i18n/locales.ts'
import { translate } from '#lib/i18n/translate.ts'
import type { Exchange, WriteRefusal } from './exchange.ts'
import { escapeHtml, plainPage } from './html.ts'
import { localeOf } from './locale-of.ts'
import { type Refused, retryHeaders } from './refused.ts'
import { htmlReply, type Reply } from './reply.ts'

/** One stylesheet and one icon of ours, nothing else; no form, no script. */
const policy =
  "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

export type ErrorPage = {
  readonly locale: Locale
  readonly code: ErrorCode
  readonly referenceId: string
  readonly siteName: string
  readonly clientName: string | null
  /** For developers; `null` keeps it to ourselves. */
  readonly description: string | null
}

/** Writes a refusal as a page. Developers see more, but only where the issuer is a loopback address. */
export const refuseWithPage: WriteRefusal = (refused, exchange) => errorReply(refused, exchange, null)

export function errorReply(refused: Refused, exchange: Exchange, clientName: string | null): Reply {
  const { config } = exchange.services
  const html = errorPage({
    locale: localeOf(exchange),
    code: refused.code,
    referenceId: exchange.context.referenceId,
    siteName: config.siteName,
    clientName,
    description: config.isLoopback && !refused.isUnexpected ? refused.description : null,
  })
  return htmlReply(refused.status, html, {
    'content-security-policy': policy,
    ...retryHeaders(refused.retryAfterSeconds),
  })
}

export function errorPage(page: ErrorPage): string {
  const t = translate(page.locale)
  const { text } = catalog[page.code]
  const title = t(`errors.${text}.title`)
  const body = [
    `<h1>${escapeHtml(title)}</h1>`,
    `<p class="muted">${escapeHtml(t(`errors.${text}.body`))}</p>`,
    developerDetails(page),
    `<p><a class="btn" href="/">${escapeHtml(t('errors.home', { site: page.siteName }))}</a></p>`,
    `<p class="small muted">${escapeHtml(t('errors.reference'))} <span class="mono">${escapeHtml(page.referenceId)}</span></p>`,
  ]
  return plainPage({ locale: page.locale, title, body: body.join('\n') })
}

function developerDetails({ locale, code, description, clientName }: ErrorPage): string {
  if (description === null) return ''
  const t = translate(locale)
  const rows: ReadonlyArray<readonly [string, string]> = [
    [t('errors.code'), code],
    [t('errors.description'), description],
    ...(clientName === null ? [] : [[t('errors.app'), clientName] as const]),
  ]
  const list = rows
    .map(([name, value]) => `<dt>${escapeHtml(name)}</dt><dd>${escapeHtml(value)}</dd>`)
    .join('')
  return `<details open><summary class="small">${escapeHtml(t('errors.details'))}</summary><dl class="small">${list}</dl></details>`
}
