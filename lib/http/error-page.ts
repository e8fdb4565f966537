/** The page for refusals that may not be redirected: the right status, and never a `Location` (AZ-03). */
import type { Locale } from '#lib/i18n/locales.ts'
import { translate } from '#lib/i18n/translate.ts'
import { ErrorPage, type Mismatch } from '#lib/pages/error-page.tsx'
import type { Frame } from '#lib/pages/frame.ts'
import type { Theme } from '#lib/protocol/theme.ts'
import type { EndpointServices, Exchange, WriteRefusal } from './exchange.ts'
import { localeOf } from './locale-of.ts'
import { pageReply } from './page-frame.ts'
import { createNonce, pagePolicy } from './page-policy.ts'
import { type Refused, retryHeaders } from './refused.ts'
import type { Reply } from './reply.ts'

/** What is known of the reader of the page. */
export type ErrorPageReader = {
  readonly locale: Locale
  readonly theme?: Theme | undefined
  /** Requested below the dashboard: that is in English, and the way on leads there. */
  readonly isInDashboard?: boolean | undefined
}

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

/** For a refusal outside any endpoint, too: it needs no database. */
export function errorPageReply({ refused, config, locale, theme = 'system', ...error }: RefusedVisit): Reply {
  const nonce = createNonce()
  const language = error.isInDashboard === true ? 'en' : locale
  const frame: Frame = {
    t: translate(language),
    locale: language,
    siteName: config.siteName,
    issuer: config.issuer,
    here: '/',
    isMonolingual: true,
    theme,
    nonce,
  }
  const description = config.isLoopback && !refused.isUnexpected ? refused.description : null
  const document = ErrorPage({ frame, error: { ...error, code: refused.code, description } })
  return pageReply(frame, document, {
    status: refused.status,
    headers: {
      'content-security-policy': `${pagePolicy(nonce)}; form-action 'self'`,
      ...retryHeaders(refused.retryAfterSeconds),
    },
  })
}
