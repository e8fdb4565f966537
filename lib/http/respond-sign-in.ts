/** Turns the outcome of every kind of sign-in into cookies and a redirect, or into an error page. */
import type { NoteDevice } from '#lib/identity/new-devices.ts'
import type { SignedIn } from '#lib/identity/session.ts'
import type { ReturningSignInOutcome, SignInOutcome } from '#lib/identity/sign-in-outcome.ts'
import type { Handle, PendingHandle } from '#lib/protocol/ids.ts'
import type { Way } from '#lib/protocol/vocabulary.ts'
import {
  confirmPath,
  emailOfferPath,
  localPath,
  passkeyOfferPath,
  stepUpPath,
} from '#lib/protocol/wire/local-paths.ts'
import {
  browserCookie,
  knownBrowserCookie,
  latestWayCookie,
  otherSessionCookies,
  readLatestWay,
  sessionCookie,
} from './cookies.ts'
import { errorReply } from './error-page.ts'
import type { EndpointServices, Exchange } from './exchange.ts'
import { refusalFromReason } from './http-refusal.ts'
import { withQuery } from './read-params.ts'
import { type Reply, seeOther } from './reply.ts'
import {
  attemptCookie,
  backCookie,
  endedAttemptCookie,
  endedBackCookie,
  type SignInAttempt,
} from './step-cookies.ts'

type SealingServices = EndpointServices & {
  readonly sealing: Parameters<typeof attemptCookie>[0]
  readonly noteDevice: NoteDevice
}
export type SignInPlace = {
  readonly pending: PendingHandle | null
  readonly username: string | null
  /** The values of the additional fields of the form, without passwords. */
  readonly fields?: SignInAttempt['fields']
  /** The page that required the sign-in, from the form or the cookie: see `backPath`. */
  readonly back: string | null
  /** Whether the signed-in user confirms the identity. */
  readonly isConfirmation?: boolean
}

/**
 * Redirects: after a success to `resume`, or to a page of this server when no client waits; after a partial sign-in to
 * the page of the next step; after a refusal back to the sign-in page with the reason. A repeated or late response of a
 * provider continues like a success, without a new session. An expired sign-in continues at the sign-in page with the reason or,
 * if a user is signed in, at `resume`. If its pending request is not known, a signed-in user gets the page that says so, for example after the back button, and others an error page.
 */
export function respondSignIn(
  answer: SignInOutcome | ReturningSignInOutcome,
  exchange: Exchange<SealingServices>,
  { pending, username, fields, back, isConfirmation }: SignInPlace,
): Reply {
  const { config, sealing } = exchange.services
  // The sign-in page shows the user name again, also after a way back from the next step
  const attemptOf = (attempt: SignInAttempt) =>
    attemptCookie(sealing, attempt, { pending, issuer: config.issuer })
  switch (answer.kind) {
    case 'signed_in': {
      const ended = [
        endedAttemptCookie(config.issuer),
        ...(back === null ? [] : [endedBackCookie(config.issuer)]),
      ]
      const offer = offerAfter(answer)
      const carried = [
        ['pending', pending],
        ['back', back],
      ] as const
      const next = offer === null ? continuation(pending, back) : withQuery(offer, carried)
      return seeOther(next, [
        sessionCookie(answer, config.issuer),
        ...otherSessionCookies(answer.others, exchange.cookies, config.issuer),
        ...markedBrowser(answer, exchange),
        ...changedWay(answer.way, exchange),
        ...ended,
      ])
    }
    case 'partial':
      return seeOther(withPartial(answer.path, answer.partial, pending), [
        browserCookie(answer.browser, config.issuer),
        ...(username === null ? [] : [attemptOf({ username, message: null, fields })]),
        ...(back === null ? [] : [backCookie(back, config.issuer)]),
      ])
    case 'refused': {
      const { message, unknownPasskey } = answer
      const attempt = { username: username ?? '', message, fields, unknownPasskey }
      return seeOther(loginAgain({ pending, back, isConfirmation }, answer), [attemptOf(attempt)])
    }
    case 'came_back_again':
      return seeOther(continuation(pending, back))
    case 'unreachable':
      return seeOther(`${stepUpPath}?pending=${pending ?? ''}`)
    case 'expired':
      // The sign-in page names the app. It leads to the authorization endpoint unless the request still waits, because only that
      // knows whether a request has expired, was completed or is no longer valid
      if (pending !== null && exchange.cookies.session === null)
        return seeOther(loginAgain({ pending, back: null }, { why: 'expired', retryAfterSeconds: 0 }))
      if (pending !== null) return seeOther(continuation(pending))
      if (exchange.cookies.session !== null) return seeOther(withQuery('/login', [['back', back]]))
      return errorReply(refusalFromReason('request_expired'), exchange)
  }
}

/** Returns the address of the page that follows the sign-in; `null`: none. */
function offerAfter({
  offersPasskey,
  offersEmail,
}: Extract<SignInOutcome, { kind: 'signed_in' }>): string | null {
  if (offersPasskey === true) return passkeyOfferPath
  return offersEmail === true ? emailOfferPath : null
}

/** Returns the cookie of the known browser, and lets the user know of a new one. */
function markedBrowser(
  { begun, knownBrowser: marked }: SignedIn,
  { cookies: { knownBrowser }, context, services }: Exchange<SealingServices>,
): readonly string[] {
  const mark = begun === undefined ? marked : services.noteDevice({ begun, knownBrowser, marked }, context)
  return mark === null ? [] : [knownBrowserCookie(mark, services.config.issuer)]
}

/** Returns the cookie with the way of the sign-in, unless the browser has it. */
function changedWay(way: Way | null, { request, services }: Exchange<SealingServices>): readonly string[] {
  const { issuer } = services.config
  const isKnown = way === null || way === readLatestWay(request.headers.get('cookie'), issuer)
  return isKnown ? [] : [latestWayCookie(way, issuer)]
}

/** Returns the address at which a user continues after an interaction. */
export function continuation(pending: PendingHandle | null, back: string | null = null): string {
  return pending === null ? (back ?? '/account') : `/connect/authorize/resume?pending=${pending}`
}

type Failure = { readonly why: string; readonly retryAfterSeconds: number; readonly scheme?: string }

/**
 * Returns the address of the sign-in page, or of the page for a confirmation, after a failure: with its kind, the provider and the
 * time to wait, and no other detail of the attempt.
 */
export function loginAgain(
  { pending, back, isConfirmation = false }: Pick<SignInPlace, 'pending' | 'back' | 'isConfirmation'>,
  { why, retryAfterSeconds, scheme }: Failure,
): string {
  return withQuery(isConfirmation ? confirmPath : '/login', [
    ['pending', pending],
    ['back', back],
    ['error', why],
    ['provider', scheme ?? null],
    ['wait', retryAfterSeconds > 0 ? String(Math.ceil(retryAfterSeconds)) : null],
  ])
}

function withPartial(path: string, partial: Handle<'partial'>, pending: PendingHandle | null): string {
  const target = localPath(path, '/login')
  const carried = pending === null ? '' : `&pending=${pending}`
  return `${target}${target.includes('?') ? '&' : '?'}partial=${partial}${carried}`
}
