/** The cookies of this origin: names, reading and writing (SE-03, SE-09). */

import { browserAccounts, lifetimeSeconds, secondFactors } from '#lib/config/limits.ts'
import type { OtherSession } from '#lib/identity/session.ts'
import {
  type AdminSessionHandle,
  type BrowserHandle,
  type Handle,
  type HandleKind,
  parseHandle,
  type SessionHandle,
  type TrustedBrowserHandle,
} from '#lib/protocol/ids.ts'
import { readTheme, type Theme } from '#lib/protocol/theme.ts'
import { type Way, wayOfProvider } from '#lib/protocol/vocabulary.ts'
import { cookiePath } from '#lib/protocol/wire/own-addresses.ts'
import { isHttps } from './security-headers.ts'

/** The lifetime of cookies with a choice of language or theme, or with the latest way to sign in: a year. */
const choiceSeconds = 31_536_000

export type Cookies = {
  /** The handle of the current session. */
  readonly session: SessionHandle | null
  /** The handles of the sessions of all accounts in this browser, the current one first if there is one. */
  readonly sessions: readonly SessionHandle[]
  /** The handle that binds a pending request to the browser that started it. */
  readonly browser: BrowserHandle | null
  /** The sealed mark of accounts that signed in here before; opened in `lib/identity`. */
  readonly knownBrowser: string | null
  /** The handles of the users who trusted this browser, the newest first. */
  readonly trustedBrowsers: readonly TrustedBrowserHandle[]
  readonly locale: string | null
  readonly theme: Theme
  /** The handle of the admin session. */
  readonly admin: AdminSessionHandle | null
}

/**
 * Returns the names. `__Host-` prevents other hosts and paths from setting a cookie; it needs https, so the cookies of an
 * http issuer have no prefix. The cookies with a choice of language or theme never have it.
 */
export function cookieNames(issuer: string) {
  const prefix = isHttps(issuer) ? '__Host-' : ''
  return {
    session: `${prefix}latchkey_session`,
    others: `${prefix}latchkey_others`,
    rememberedOthers: `${prefix}latchkey_others_kept`,
    browser: `${prefix}latchkey_browser`,
    knownBrowser: `${prefix}latchkey_device`,
    trustedBrowsers: `${prefix}latchkey_trusted`,
    twoStep: `${prefix}latchkey_two_step`,
    signInAttempt: `${prefix}latchkey_attempt`,
    profile: `${prefix}latchkey_profile`,
    returnPath: `${prefix}latchkey_back`,
    admin: `${prefix}latchkey_admin`,
    adminSignInState: `${prefix}latchkey_admin_departure`,
    adminSetUp: `${prefix}latchkey_admin_setup`,
    latestWay: `${prefix}latchkey_way`,
    locale: 'latchkey_locale',
    theme: 'latchkey_theme',
  } as const
}

const noCookies: Cookies = {
  session: null,
  sessions: [],
  browser: null,
  knownBrowser: null,
  trustedBrowsers: [],
  locale: null,
  theme: 'system',
  admin: null,
}

/**
 * Reads the cookies. A malformed handle is treated as absent, and so is a cookie that was sent twice: which of the two
 * this server has set is not known.
 */
export function readCookies(header: string | null, issuer: string): Cookies {
  if (header === null) return noCookies
  const names = cookieNames(issuer)
  const session = readHandle('session', header, names.session)
  const others = [names.others, names.rememberedOthers].flatMap(name => readHandles(header, name))
  return {
    session,
    sessions: [...new Set([...(session === null ? [] : [session]), ...others])],
    browser: readHandle('browser', header, names.browser),
    knownBrowser: readCookie(header, names.knownBrowser),
    trustedBrowsers: readTrustedBrowsers(readCookie(header, names.trustedBrowsers)),
    locale: readCookie(header, names.locale),
    theme: readTheme(readCookie(header, names.theme)),
    admin: readHandle('adminSession', header, names.admin),
  }
}

/** Returns the value of a cookie; `null` when it is missing or was sent twice. */
export function readCookie(header: string | null, name: string): string | null {
  const values = (header ?? '')
    .split(';')
    .map(pair => pair.trim())
    .filter(pair => pair.startsWith(`${name}=`))
  const [value] = values
  return value === undefined || values.length > 1 ? null : value.slice(name.length + 1)
}

function readHandle<K extends HandleKind>(kind: K, header: string, name: string): Handle<K> | null {
  return parseHandle(kind, readCookie(header, name))
}

/** Reads the sessions in a cookie with several. Returns none if one of them is malformed or there are too many. */
function readHandles(header: string, name: string): readonly SessionHandle[] {
  const texts = readCookie(header, name)?.split(handleSeparator) ?? []
  const handles = texts.map(text => parseHandle('session', text)).filter(handle => handle !== null)
  return handles.length < texts.length || handles.length > browserAccounts.others ? [] : handles
}

/** A character that handles do not contain. */
const handleSeparator = '.'

function readTrustedBrowsers(value: string | null): readonly TrustedBrowserHandle[] {
  if (value === null) return []
  const handles = value
    .split(handleSeparator, secondFactors.trustedUsers)
    .map(part => parseHandle('trustedBrowser', part))
  return handles.filter(handle => handle !== null)
}

export type SessionCookie = { readonly session: SessionHandle; readonly persistSeconds: number | null }

/** Makes the cookie of a session. `persistSeconds: null`: it ends with the browser. */
export function sessionCookie({ session, persistSeconds }: SessionCookie, issuer: string): string {
  return cookie(cookieNames(issuer).session, session, { issuer, maxAgeSeconds: persistSeconds })
}

export function endedSessionCookie(issuer: string): string {
  return cookie(cookieNames(issuer).session, '', { issuer, maxAgeSeconds: 0 })
}

/**
 * Makes the cookies with the sessions of the other accounts: one for sessions that the browser remembers, and one that ends with
 * the browser. Returns none if there are no such sessions and the request sent none.
 */
export function otherSessionCookies(
  others: readonly OtherSession[],
  { session, sessions }: Pick<Cookies, 'session' | 'sessions'>,
  issuer: string,
): readonly string[] {
  const names = cookieNames(issuer)
  const hadOthers = sessions.some(handle => handle !== session)
  const make = (name: string, isPersistent: boolean) => {
    const handles = others.filter(other => other.isPersistent === isPersistent).map(({ handle }) => handle)
    if (handles.length === 0) return hadOthers ? [cookie(name, '', { issuer, maxAgeSeconds: 0 })] : []
    const maxAgeSeconds = isPersistent ? lifetimeSeconds.rememberedSession : null
    return [cookie(name, handles.join(handleSeparator), { issuer, maxAgeSeconds })]
  }
  return [...make(names.others, false), ...make(names.rememberedOthers, true)]
}

export function browserCookie(browser: BrowserHandle, issuer: string): string {
  return cookie(cookieNames(issuer).browser, browser, { issuer, maxAgeSeconds: null })
}

export function knownBrowserCookie(knownBrowser: string, issuer: string): string {
  return cookie(cookieNames(issuer).knownBrowser, knownBrowser, {
    issuer,
    maxAgeSeconds: lifetimeSeconds.knownBrowser,
  })
}

/** Makes the cookie of a trusted browser, with one handle for each user who trusted it. */
export function trustedBrowserCookie(handles: readonly TrustedBrowserHandle[], issuer: string): string {
  const maxAgeSeconds = lifetimeSeconds.trustedBrowser
  return cookie(cookieNames(issuer).trustedBrowsers, handles.join(handleSeparator), { issuer, maxAgeSeconds })
}

/** Makes the cookie with the way in which a user of this browser signed in last. The sign-in page shows it first. */
export function latestWayCookie(way: Way, issuer: string): string {
  return cookie(cookieNames(issuer).latestWay, way, { issuer, maxAgeSeconds: choiceSeconds })
}

export function readLatestWay(header: string | null, issuer: string): Way | null {
  const value = readCookie(header, cookieNames(issuer).latestWay) ?? ''
  if (value === 'password' || value === 'passkey') return value
  return value.startsWith('provider:') ? wayOfProvider(value.slice('provider:'.length)) : null
}

export function localeCookie(locale: string, issuer: string): string {
  return cookie(cookieNames(issuer).locale, locale, { issuer, maxAgeSeconds: choiceSeconds })
}

/** Makes the cookie of a theme; `system` is the default and deletes it. */
export function themeCookie(theme: Theme, issuer: string): string {
  const isChoice = theme !== 'system'
  const maxAgeSeconds = isChoice ? choiceSeconds : 0
  return cookie(cookieNames(issuer).theme, isChoice ? theme : '', { issuer, maxAgeSeconds })
}

/**
 * AD-09: makes the cookie of an admin session. The browser never sends it with requests from other sites, not even for
 * a link. It ends with the browser.
 */
export function adminCookie(session: AdminSessionHandle, issuer: string): string {
  return cookie(cookieNames(issuer).admin, session, { issuer, maxAgeSeconds: null, sameSite: 'Strict' })
}

export function endedAdminCookie(issuer: string): string {
  return cookie(cookieNames(issuer).admin, '', { issuer, maxAgeSeconds: 0, sameSite: 'Strict' })
}

type CookieOptions = {
  readonly issuer: string
  readonly maxAgeSeconds: number | null
  readonly sameSite?: 'Lax' | 'Strict'
}

/**
 * Makes a `Set-Cookie` line. Lax by default, because users come to the authorization endpoint from other sites by
 * navigation.
 */
export function cookie(
  name: string,
  value: string,
  { issuer, maxAgeSeconds, sameSite = 'Lax' }: CookieOptions,
): string {
  const attributes = [`Path=${cookiePath('/')}`, 'HttpOnly', `SameSite=${sameSite}`]
  if (isHttps(issuer)) attributes.push('Secure')
  if (maxAgeSeconds !== null) attributes.push(`Max-Age=${maxAgeSeconds}`)
  return [`${name}=${value}`, ...attributes].join('; ')
}
