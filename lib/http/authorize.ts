/** The authorization endpoint over HTTP: its query, and its outcome as a reply. */
import { bodyBytes, queryCharacters } from '#lib/config/limits.ts'
import type { AuthorizeOutcome } from '#lib/core/authorize/authorize.ts'
import type { InteractionPage } from '#lib/core/authorize/decide.ts'
import type { ClientResponse, ErrorPage, ShownError } from '#lib/core/authorize/response-target.ts'
import { isOauthError, OauthError } from '#lib/errors/oauth-error.ts'
import type { Frame } from '#lib/pages/frame.ts'
import { type FormPost, FormPostPage } from '#lib/pages/return-pages.tsx'
import type { BrowserHandle } from '#lib/protocol/ids.ts'
import { stepUpPath } from '#lib/protocol/wire/local-paths.ts'
import { type Parameters, parametersOf } from '#lib/protocol/wire/parameters.ts'
import { browserCookie } from './cookies.ts'
import { errorReply } from './error-page.ts'
import type { Exchange } from './exchange.ts'
import { type HttpRefusal, refusalFromReason } from './http-refusal.ts'
import { pageFrame, pageReply } from './page-frame.ts'
import {
  decodePair,
  encodeForm,
  type Pairs,
  queryText,
  readBody,
  readParameters,
  splitForm,
} from './read-params.ts'
import { type Reply, seeOther, withCookies } from './reply.ts'

export type AuthorizeQuery = {
  /** The valid parameters: sent once, decodable, not too long. A `state` that is only too long is kept. */
  readonly parameters: Parameters
  /** The fault of the first invalid parameter; `null` if all are valid. */
  readonly fault: OauthError | null
}

/**
 * Reads the query. RFC 6749 4.1.2.1: a fault is reported at a valid redirect URI, so it is kept until the redirect URI is
 * verified.
 * @throws OauthError `uri_too_long`, or `invalid_request` for too many parameters and for a `client_id` or `redirect_uri`
 * that is repeated, oversized or badly encoded: without these there is no verified redirect URI
 */
export function readAuthorizeQuery(request: Request): AuthorizeQuery {
  const entries: Array<readonly [name: string, value: string]> = []
  let fault: OauthError | null = null
  for (const [name, parts] of Map.groupBy(splitForm(queryText(request)), nameIn)) {
    const read = readOne(name, parts)
    fault ??= read.fault
    entries.push(...read.pairs)
  }
  return { parameters: parametersOf(entries), fault }
}

/**
 * Converts a posted authorization request to the equivalent query, faults included.
 * @throws OauthError `content_too_large`, or like `readBody`
 */
export async function authorizeQueryOf(request: Request): Promise<string> {
  const form = await readBody(request, bodyBytes.form)
  const query = form.replaceAll(/[^\w.~%&=+*-]/gu, encodeURIComponent)
  if (query.length > queryCharacters) {
    const description = `The request is longer than ${queryCharacters} characters.`
    throw new OauthError('authorize_post_too_long', { description })
  }
  return query
}

const redirectUriParameters: ReadonlySet<string> = new Set(['client_id', 'redirect_uri'])

/**
 * Reads all values of one name. RFC 6749 4.1.2.1: an error response repeats the exact `state`, so a value that is only too
 * long is kept with its fault.
 */
function readOne(name: string, parts: readonly string[]): Read {
  const decoded = attempt(() => parts.map(decodePair))
  const checked = isOauthError(decoded) ? decoded : attempt(() => readParameters(decoded))
  const fault = isOauthError(checked) ? checked : null
  if (fault !== null && redirectUriParameters.has(name)) throw fault
  const pairs = isOauthError(decoded) ? [] : decoded
  const isKept = fault === null || (name === 'state' && pairs.length === 1)
  return { pairs: isKept ? pairs : [], fault }
}

type Read = { readonly pairs: Pairs; readonly fault: OauthError | null }

/** Decodes a name; a name that cannot be decoded is returned as sent. */
function nameIn(part: string): string {
  const [encoded = ''] = part.split('=', 1)
  const name = attempt(() => decodePair(encoded)[0])
  return isOauthError(name) ? encoded : name
}

function attempt<T>(read: () => T): T | OauthError {
  try {
    return read()
  } catch (error) {
    if (isOauthError(error)) return error
    throw error
  }
}

const interactionPaths: Readonly<Record<InteractionPage, string>> = {
  login: '/login',
  register: '/login/register',
  providers: '/login/providers',
  select_account: '/select-account',
  step_up: stepUpPath,
  consent: '/consent',
}

/**
 * Turns the outcome into a reply. `browser` is the handle that the request is bound to. A browser without the cookie
 * receives it when the request becomes pending. Only `respond` redirects to another origin.
 */
export function respondAuthorize(
  outcome: AuthorizeOutcome,
  exchange: Exchange,
  browser: BrowserHandle | null,
): Reply {
  const reply = replyFor(outcome, exchange)
  if (!('pending' in outcome) || browser === null || browser === exchange.cookies.browser) return reply
  return withCookies(reply, [browserCookie(browser, exchange.services.config.issuer)])
}

function replyFor(outcome: AuthorizeOutcome, exchange: Exchange): Reply {
  switch (outcome.kind) {
    case 'respond':
      return deliver(outcome, exchange)
    case 'interact':
      return seeOther(`${interactionPaths[outcome.at]}?pending=${outcome.pending}`)
    case 'forward':
      return seeOther(`/login/external/${outcome.scheme}/start?pending=${outcome.pending}`)
    case 'error_page':
      return errorReply(refusalOf(outcome.error), exchange, outcome.error)
  }
}

/** The page of a request that the extensions refused, with their message to the user. */
export function respondRefused({ error }: ErrorPage, message: string | null, exchange: Exchange): Reply {
  return errorReply(refusalOf(error), exchange, { ...error, message })
}

/**
 * Returns the headers and cookies of the browser's request for the `preAuthenticate` hook, without credentials and this
 * server's cookies.
 */
export function hookHeaders(request: Request) {
  const headers = [...request.headers].filter(([name]) => !credentialHeaders.has(name))
  const pairs = (request.headers.get('cookie') ?? '').split(';').map(pair => pair.trim().split('='))
  const cookies = pairs.flatMap(([name = '', ...value]) =>
    name === '' || /^(?:__Host-)?latchkey_/.test(name) ? [] : [[name, value.join('=')] as const],
  )
  return { headers: Object.fromEntries(headers), cookies: Object.fromEntries(cookies) }
}

const credentialHeaders: ReadonlySet<string> = new Set(['cookie', 'authorization', 'proxy-authorization'])

function refusalOf({ reason, retryAfterSeconds }: ShownError): HttpRefusal {
  return refusalFromReason(reason, retryAfterSeconds ?? null)
}

function deliver({ to, fields }: ClientResponse, exchange: Exchange): Reply {
  switch (to.responseMode) {
    case 'query':
      return seeOther(`${to.redirectUri}${to.redirectUri.includes('?') ? '&' : '?'}${encodeForm(fields)}`)
    case 'fragment':
      return seeOther(`${to.redirectUri}#${encodeForm(fields)}`)
    case 'form_post':
      return formPostReply(pageFrame(exchange, { uiLocales: to.uiLocales }), {
        clientId: to.clientId,
        clientName: to.clientName,
        redirectUri: to.redirectUri,
        fields,
      })
  }
}

/** The SHA-256 of `formPostScript`; a test recomputes it. */
const scriptHash = 'ePniVEkSivX/c7XWBGafqh8tSpiRrKiqYeqbG7N1TOE='
/**
 * The content security policy of the `form_post` page. NOTE: it has no `form-action`: Chromium would apply it also to
 * the client's redirects after the post.
 */
const policy = `default-src 'none'; script-src 'sha256-${scriptHash}'; style-src 'self'; img-src 'self'; manifest-src 'self'; base-uri 'none'`

export function formPostReply(frame: Frame, post: FormPost): Reply {
  const document = FormPostPage({ ...post, frame: { ...frame, nonce: null } })
  return pageReply(frame, document, {
    headers: { 'content-security-policy': `${policy}; frame-ancestors ${framingOrigin(post.redirectUri)}` },
  })
}

/**
 * Returns the origin that may frame the response. With `prompt=none`, a client uses a hidden frame: the origin that
 * receives the response may frame the page that posts it. Browsers then ignore `X-Frame-Options`.
 */
function framingOrigin(redirectUri: string): string {
  const { origin } = new URL(redirectUri)
  return origin === 'null' ? "'none'" : origin
}
