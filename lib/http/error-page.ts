/** The page for refusals that must not be redirected: it never has a `Location` (AZ-03). */
import type { Continuation } from '#lib/core/authorize/response-target.ts'
import type { Reason } from '#lib/errors/reasons.ts'
import type { Locale } from '#lib/i18n/locales.ts'
import { translate } from '#lib/i18n/translate.ts'
import { ErrorPage, isPassing, type Mismatch } from '#lib/pages/error-page.tsx'
import type { Frame } from '#lib/pages/frame.ts'
import { SignedInPage } from '#lib/pages/return-pages.tsx'
import { displayHref } from '#lib/protocol/text/display-text.ts'
import type { Theme } from '#lib/protocol/theme.ts'
import type { EndpointServices, Exchange, WriteRefusal } from './exchange.ts'
import { type HttpRefusal, retryHeaders } from './http-refusal.ts'
import { localeOf, pageReply } from './page-frame.ts'
import { createNonce, pagePolicy } from './page-policy.ts'
import { encodeForm } from './read-params.ts'
import type { Reply } from './reply.ts'

/** The maximum length of the parameters in a link that repeats the request. */
const longestRestart = 8000

export type ErrorPageReader = {
  readonly locale: Locale
  readonly theme?: Theme | undefined
  /**
   * Whether the path of the request belongs to the dashboard: the page is then in English, and its button leads to the
   * dashboard.
   */
  readonly isInDashboard?: boolean | undefined
  /** Path and query of the request; without them the page offers no other language. */
  readonly here?: string | null
}

/** Further facts about the request; `ShownError` of the core satisfies it. */
type About = {
  readonly clientName?: string | null
  readonly mismatch?: Mismatch
  /** The message of an extension for the user. */
  readonly message?: string | null
  readonly continuation?: Continuation
}

/** Writes a refusal as a page. */
export const refuseWithPage: WriteRefusal = (refused, exchange) => errorReply(refused, exchange)

export function errorReply(refused: HttpRefusal, exchange: Exchange, about: About = {}): Reply {
  const { pathname, searchParams } = new URL(exchange.request.url)
  const isRepeatable = exchange.request.method === 'GET'
  return errorPageReply({
    refused,
    config: exchange.services.config,
    locale: localeOf(exchange),
    theme: exchange.cookies.theme,
    isInDashboard: isInDashboard(pathname),
    here: isRepeatable ? `${pathname}${repeatedQuery(searchParams)}` : null,
    requestId: exchange.context.requestId,
    isRepeatable,
    ...about,
  })
}

/**
 * Returns the part of the request's query that the page repeats in its language form. Other parameters may contain
 * credentials or name a user, and an error page must not repeat them (LG-03).
 */
function repeatedQuery(sent: URLSearchParams): string {
  const kept = [...sent].filter(([name]) => repeatedParameters.has(name))
  return kept.length === 0 ? '' : `?${new URLSearchParams(kept)}`
}

const repeatedParameters: ReadonlySet<string> = new Set([
  'pending',
  'client_id',
  'redirect_uri',
  'response_type',
  'response_mode',
  'scope',
  'prompt',
  'max_age',
  'ui_locales',
  'acr_values',
])

/** Whether a path belongs to the dashboard. */
export function isInDashboard(path: string): boolean {
  return /^\/admin(\/|$)/.test(path)
}

export type RefusedVisit = ErrorPageReader &
  About & {
    readonly refused: HttpRefusal
    readonly config: EndpointServices['config']
    readonly requestId: string
    readonly isRepeatable?: boolean | undefined
  }

/** Whether the refusal is only in the log, like every request for an unknown path: crawlers send many of them. */
export function isOnlyLogged({ code, reason }: HttpRefusal): boolean {
  return code === 'not_found' && (reason === null || reason === 'not_found')
}

/** Makes the page for any refusal, even outside of endpoints: it needs no database. */
export function errorPageReply(visit: RefusedVisit): Reply {
  const { refused, requestId, clientName = null, mismatch, continuation, isRepeatable } = visit
  const frame = frameOf(visit)
  const policy = `${pagePolicy(frame.nonce ?? '')}; form-action 'self'`
  const shown = continuation && {
    href: hrefOf(refused, continuation),
    isRestart: isRestart(refused, continuation),
  }
  const headers = { 'content-security-policy': policy, ...retryHeaders(refused.retryAfterSeconds) }
  if (continuation?.isSignedIn === true)
    return pageReply(frame, SignedInPage({ frame, clientName, href: shown?.href ?? null }), { headers })
  const error = {
    code: refused.code,
    requestId,
    clientName,
    message: visit.isInDashboard === true ? (dashboardMessage(refused) ?? visit.message) : visit.message,
    description: isExplained(visit) ? refused.description : null,
    mismatch,
    nextStep: shown,
    isRepeatable,
    isInDashboard: visit.isInDashboard,
    at: new Date(),
  }
  return pageReply(frame, ErrorPage({ frame, error }), { status: refused.status, headers })
}

/**
 * Returns the message for an admin, such as the required roles, instead of the text for users of an app; `null` for
 * reasons that do not concern the dashboard.
 */
function dashboardMessage({ reason, description }: HttpRefusal): string | null {
  return reason !== null && dashboardReasons.has(reason) ? description : null
}

const dashboardReasons: ReadonlySet<string> = new Set<Reason>([
  'admin_not_allowed',
  'admin_target_unknown',
  'use_case_unknown',
])

/**
 * Makes the frame of the page. NOTE: the policy allows forms to post only to this server. After a change of language a
 * temporary error may be gone: the form would then lead to the client, and Chromium would block it. The page of such an
 * error offers no other language.
 */
function frameOf({
  refused,
  config,
  locale,
  theme = 'system',
  here = null,
  isInDashboard,
}: RefusedVisit): Frame {
  const language = isInDashboard === true ? 'en' : locale
  return {
    t: translate(language),
    locale: language,
    siteName: config.siteName,
    issuer: config.issuer,
    help: config.help,
    here: here ?? '/',
    isMonolingual: here === null || isInDashboard === true || isPassing(refused.code),
    theme,
    nonce: createNonce(),
  }
}

/**
 * Whether to show details for developers: only if the issuer is a loopback address, and not for internal errors or
 * unknown paths.
 */
function isExplained({ config, refused }: RefusedVisit): boolean {
  return config.isLoopback && !refused.isUnexpected && refused.code !== 'not_found'
}

/**
 * Whether the user starts again, rather than returning to the client. Without the parameters of the request, the user
 * starts again at the client. Otherwise a link repeats the request, unless the link would be too long, or the client has a
 * page and the request has not expired.
 */
function isRestart({ reason }: HttpRefusal, { home, restart }: Continuation): boolean {
  if (restart === null) return true
  const isShort = encodeForm(restart).length <= longestRestart
  return isShort && (reason === 'request_expired' || home === null)
}

function hrefOf(refused: HttpRefusal, continuation: Continuation): string | null {
  const { home, restart } = continuation
  if (restart === null || !isRestart(refused, continuation)) return displayHref(home)
  return `/connect/authorize?${encodeForm(restart)}`
}
