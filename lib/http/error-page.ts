/** The page for refusals that may not be redirected: plain HTML, the right status, never a `Location` (AZ-03). */
import { catalog, type ErrorCode } from '#lib/errors/catalog.ts'
import type { Locale } from '#lib/i18n/locales.ts'
import { type Translate, translate } from '#lib/i18n/translate.ts'
import { displayText } from '#lib/protocol/display-text.ts'
import type { Theme } from '#lib/protocol/theme.ts'
import type { EndpointServices, Exchange, WriteRefusal } from './exchange.ts'
import { escapeHtml, plainPage } from './html.ts'
import { localeOf } from './locale-of.ts'
import { type Refused, retryHeaders } from './refused.ts'
import { htmlReply, type Reply } from './reply.ts'

/** One stylesheet and one icon of ours, nothing else; no form, no script. */
const policy =
  "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
const longestName = 60
const longestUri = 300

/** What is known of who will read the page. */
export type ErrorPageReader = {
  readonly locale: Locale
  readonly theme?: Theme | undefined
  /** It was asked for below the dashboard: that speaks English, and the way on leads there. */
  readonly isInDashboard?: boolean | undefined
}

export type ErrorPage = ErrorPageReader & {
  readonly code: ErrorCode
  readonly referenceId: string
  readonly siteName: string
  readonly clientName: string | null
  /** For developers; `null` keeps it to ourselves. */
  readonly description: string | null
  readonly mismatch?: Mismatch | undefined
  /** The same address may simply be asked again: nothing was posted to it. */
  readonly isRepeatable?: boolean | undefined
}

/** A redirect URI that was sent, beside those that are registered. */
export type Mismatch = { readonly sent: string; readonly registered: readonly string[] }

/** Writes a refusal as a page. Developers see more, but only where the issuer is a loopback address. */
export const refuseWithPage: WriteRefusal = (refused, exchange) => errorReply(refused, exchange, null)

export function errorReply(
  refused: Refused,
  exchange: Exchange,
  clientName: string | null,
  mismatch?: Mismatch,
): Reply {
  return errorPageReply({
    refused,
    config: exchange.services.config,
    locale: localeOf(exchange),
    theme: exchange.cookies.theme,
    isInDashboard: isInDashboard(new URL(exchange.request.url).pathname),
    referenceId: exchange.context.referenceId,
    clientName,
    mismatch,
    isRepeatable: exchange.request.method === 'GET',
  })
}

/** Whether a path belongs to the dashboard. */
export function isInDashboard(path: string): boolean {
  return /^\/admin(\/|$)/.test(path)
}

export type RefusedVisit = ErrorPageReader & {
  readonly refused: Refused
  readonly config: EndpointServices['config']
  readonly referenceId: string
  readonly clientName: string | null
  readonly mismatch?: Mismatch | undefined
  readonly isRepeatable?: boolean | undefined
}

/** For a refusal outside any endpoint: a page that could not be drawn. */
export function errorPageReply({ refused, config, ...visit }: RefusedVisit): Reply {
  const html = errorPage({
    ...visit,
    code: refused.code,
    siteName: config.siteName,
    description: config.isLoopback && !refused.isUnexpected ? refused.description : null,
  })
  return htmlReply(refused.status, html, {
    'content-security-policy': policy,
    ...retryHeaders(refused.retryAfterSeconds),
  })
}

export function errorPage(given: ErrorPage): string {
  const page = given.isInDashboard === true ? { ...given, locale: 'en' as const } : given
  const t = translate(page.locale)
  const { text } = catalog[page.code]
  const title = t(`errors.${text}.title`)
  const body = [
    `<p class="muted">${escapeHtml(t(`errors.${text}.body`))}</p>`,
    developerDetails(page),
    nextStep(page),
    `<p class="small muted">${escapeHtml(t('errors.reference'))} <span class="reference">${escapeHtml(page.referenceId)}</span></p>`,
  ]
  return plainPage({
    locale: page.locale,
    theme: page.theme,
    siteName: page.siteName,
    title: t('frame.alert', { title }),
    heading: title,
    body: body.join('\n'),
  })
}

/** What passes by itself: trying again is what the text says. */
const passing: ReadonlySet<ErrorCode> = new Set([
  'server_error',
  'temporarily_unavailable',
  'too_many_requests',
])

/** NOTE: the empty reference is the page's own address, query included. */
function nextStep({
  locale,
  code,
  siteName,
  isRepeatable = false,
  isInDashboard = false,
}: ErrorPage): string {
  const t = translate(locale)
  const home = isInDashboard ? ['/admin', 'Go to the dashboard'] : ['/', t('errors.home', { site: siteName })]
  const [href, text = ''] = isRepeatable && passing.has(code) ? ['', t('errors.again')] : home
  return `<a class="btn wide" href="${href}">${escapeHtml(text)}</a>`
}

function developerDetails({ locale, code, description, clientName, mismatch }: ErrorPage): string {
  if (description === null) return ''
  const t = translate(locale)
  const rows: ReadonlyArray<readonly [string, string]> = [
    [t('errors.code'), code],
    [t('errors.description'), description],
    ...(clientName === null ? [] : [[t('errors.app'), displayText(clientName, longestName)] as const]),
    ...mismatchRows(t, mismatch),
  ]
  const list = rows
    .map(([name, value]) => `<dt>${escapeHtml(name)}</dt><dd>${escapeHtml(value)}</dd>`)
    .join('')
  return `<details open><summary>${escapeHtml(t('errors.details'))}</summary><dl class="facts">${list}</dl></details>`
}

/** The usual slip is one character, so both stand below each other (closest first). */
function mismatchRows(
  t: Translate,
  mismatch: Mismatch | undefined,
): ReadonlyArray<readonly [name: string, value: string]> {
  if (mismatch === undefined) return []
  const { sent, registered } = mismatch
  const closest = registered.toSorted((left, right) => shared(right, sent) - shared(left, sent))
  return [
    [t('errors.sent'), displayText(sent, longestUri)],
    ...closest.slice(0, 3).map(uri => [t('errors.registered'), displayText(uri, longestUri)] as const),
  ]
}

/** How many characters two texts have in common at their beginnings. */
function shared(left: string, right: string): number {
  const differs = [...left].findIndex((character, index) => character !== right[index])
  return differs === -1 ? left.length : differs
}
