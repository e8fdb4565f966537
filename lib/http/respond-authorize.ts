/** The one place where an authorization outcome becomes an HTTP answer. */
import type { PausePage } from '#lib/core/authorize/decide.ts'
import type { AuthorizeOutcome } from '#lib/core/authorize/outcome.ts'
import type { ReturnAddress } from '#lib/core/authorize/return-address.ts'
import type { Frame } from '#lib/pages/frame.ts'
import { type FormPost, FormPostPage } from '#lib/pages/return-pages.tsx'
import type { BrowserHandle } from '#lib/protocol/ids.ts'
import { browserCookie } from './cookies.ts'
import { errorReply } from './error-page.ts'
import type { Exchange } from './exchange.ts'
import { refusalFromReason } from './http-refusal.ts'
import { pageFrame, pageReply } from './page-frame.ts'
import { encodeForm } from './read-params.ts'
import { type Reply, seeOther, withCookies } from './reply.ts'

const pausePaths: Readonly<Record<PausePage, string>> = {
  login: '/login',
  providers: '/login/providers',
  select_account: '/select-account',
  consent: '/consent',
}

type Fields = ReadonlyArray<readonly [name: string, value: string]>

/**
 * `browser` is what the request was bound to; a browser that did not have it yet gets it when something waits for it.
 * Only `respond` leads away from this origin, and only with the proof that a `ReturnAddress` is.
 */
export function respondAuthorize(
  outcome: AuthorizeOutcome,
  exchange: Exchange,
  browser: BrowserHandle | null,
): Reply {
  const reply = replyFor(outcome, exchange)
  const isWaiting = outcome.kind === 'pause' || outcome.kind === 'forward'
  if (!isWaiting || browser === null || browser === exchange.cookies.browser) return reply
  return withCookies(reply, [browserCookie(browser, exchange.services.config.issuer)])
}

function replyFor(outcome: AuthorizeOutcome, exchange: Exchange): Reply {
  switch (outcome.kind) {
    case 'respond':
      return deliver(outcome.to, outcome.fields, exchange)
    case 'pause':
      return seeOther(`${pausePaths[outcome.at]}?pending=${outcome.pending}`)
    case 'forward':
      return seeOther(`/login/external/${outcome.scheme}/start?pending=${outcome.pending}`)
    case 'show':
      return errorReply(refusalFromReason(outcome.error.reason), exchange, outcome.error)
  }
}

function deliver(to: ReturnAddress, fields: Fields, exchange: Exchange): Reply {
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
/** NOTE: no `form-action`: Chromium would apply it also to the client's redirects after the post. */
const policy = `default-src 'none'; script-src 'sha256-${scriptHash}'; style-src 'self'; img-src 'self'; manifest-src 'self'; base-uri 'none'; frame-ancestors 'none'`

export function formPostReply(frame: Frame, post: FormPost): Reply {
  const document = FormPostPage({ ...post, frame: { ...frame, nonce: null } })
  return pageReply(frame, document, { headers: { 'content-security-policy': policy } })
}
