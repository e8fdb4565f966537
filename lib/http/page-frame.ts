/** The frame of a hosted page: the data from its request, and the reply with its document. */

import type { ReactElement } from 'react'
import { server as limits } from '#lib/config/limits.ts'
import { type Locale, negotiateLocale } from '#lib/i18n/locales.ts'
import { translate } from '#lib/i18n/translate.ts'
import type { Frame } from '#lib/pages/frame.ts'
import { renderDocument } from '#lib/pages/render.ts'
import { ForwardPage } from '#lib/pages/return-pages.tsx'
import { browserAddress } from '#lib/protocol/wire/own-addresses.ts'
import { parametersOf, parseUiLocales } from '#lib/protocol/wire/parameters.ts'
import type { Exchange } from './exchange.ts'
import { createNonce, pagePolicy, scriptlessPolicy } from './page-policy.ts'
import { htmlReply, type Reply } from './reply.ts'

export type Query = Readonly<Record<string, string>>

/** Returns the query for a page. Repeated parameters are left out. */
export function pageQuery({ url }: Request): Query {
  const parameters = parametersOf(new URL(url).searchParams)
  return Object.fromEntries(
    parameters.names.flatMap(name => {
      const [value, ...others] = parameters.all(name)
      return value === undefined || others.length > 0 ? [] : [[name, value] as const]
    }),
  )
}

/** Returns a query with only this parameter of `query`. */
export function keep(query: Query, name: string): Query {
  const value = query[name]
  return value === undefined ? {} : { [name]: value }
}

export type FrameInput = {
  /** The part of the query that the page's address keeps after a change of language. */
  readonly query?: Query
  /** The languages that the pending request prefers. */
  readonly uiLocales?: readonly string[]
  readonly offersSignOut?: boolean
  readonly signOutUser?: string | undefined
}

export function pageFrame(
  exchange: Exchange,
  { query = {}, uiLocales = [], offersSignOut = false, signOutUser }: FrameInput = {},
): Frame {
  const { request, services, cookies } = exchange
  const locale = localeOf(exchange, uiLocales)
  const { pathname } = new URL(request.url)
  const search = new URLSearchParams(query).toString()
  return {
    t: translate(locale),
    locale,
    siteName: services.config.siteName,
    issuer: services.config.issuer,
    help: services.config.help,
    here: search === '' ? pathname : `${pathname}?${search}`,
    theme: cookies.theme,
    nonce: createNonce(),
    offersSignOut,
    signOutUser,
  }
}

export type PageOptions = { readonly status?: number; readonly headers?: Readonly<Record<string, string>> }

/**
 * Makes a reply with the document. The policy allows only scripts with the nonce of `frame`; `headers` may replace the
 * policy.
 */
export function pageReply(
  { nonce }: Frame,
  document: ReactElement,
  { status = 200, headers = {} }: PageOptions = {},
): Reply {
  const policy = nonce === null ? scriptlessPolicy : pagePolicy(nonce)
  return htmlReply(status, renderDocument(document), { 'content-security-policy': policy, ...headers })
}

/** Makes a page that continues at `address`, a path of this origin, percent-encoded. */
export function landingReply(exchange: Exchange, address: string): Reply {
  const frame = { ...pageFrame(exchange), nonce: null }
  const target = browserAddress(address)
  const continues = isLong(target)
  const document = ForwardPage({ frame, address: target, title: frame.t('landing.title'), continues })
  return pageReply(frame, document, { headers: continues ? {} : { refresh: `0;url=${target}` } })
}

/** Replaces a redirect to an address that is too long for a response head by a page that continues there. */
export function withShortHead(reply: Reply, exchange: Exchange): Reply {
  // Checked before the headers are copied, because most responses have no `location`
  const address = reply.headers.location
  if (address === undefined || !isLong(address)) return reply
  const { location: _, ...headers } = reply.headers
  const frame = { ...pageFrame(exchange), nonce: null }
  const document = ForwardPage({ frame, address, title: frame.t('landing.redirect'), continues: true })
  const page = pageReply(frame, document)
  return { ...page, headers: { ...headers, ...page.headers }, cookies: reply.cookies }
}

function isLong(address: string): boolean {
  return address.length > limits.locationCharacters
}

/** Returns the language of a hosted page: the saved choice, then `ui_locales`, then the browser's, else English. */
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

/** Returns the languages in the query, even if the query is refused (OpenID Connect Core 3.1.2.1). */
function askedFor(request: Request): readonly string[] {
  return parseUiLocales(new URL(request.url).searchParams.get('ui_locales') ?? '')
}
