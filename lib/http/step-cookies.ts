/** Cookies that carry a value from one step of a sign-in or set-up to the next, for at most ten minutes. */
import { signInFields } from '#lib/config/limits.ts'
import type { PendingHandle } from '#lib/protocol/ids.ts'
import { isRecord } from '#lib/protocol/registration/fields.ts'
import { localPath } from '#lib/protocol/wire/local-paths.ts'
import { cookie, cookieNames, readCookie } from './cookies.ts'

type Sealing = {
  readonly seal: (plaintext: string, place: string) => string
  readonly open: (sealed: string, place: string) => string
}

/** The data that the sign-in page shows again after a failed sign-in. The user name is never in a URL. */
export type SignInAttempt = {
  readonly username: string
  /** The message of the user service to the user. */
  readonly message: string | null
  /** The values of the additional fields of the form, without passwords. */
  readonly fields?: Readonly<Record<string, string>> | undefined
}

/**
 * Returns the sealing context: only the page of the same pending request can open the seal; without a request, only
 * that of a sign-in that no client requested.
 */
function attemptPlace(pending: PendingHandle | null): string {
  return `cookie:attempt:sign-in:${pending ?? ''}`
}

const attemptSeconds = 120
export const longestUsername = 255
const longestMessage = 500

type SignInOrigin = { readonly pending: PendingHandle | null; readonly issuer: string }

export function attemptCookie(
  sealing: Sealing,
  { username, message, fields = {} }: SignInAttempt,
  { pending, issuer }: SignInOrigin,
): string {
  const kept = Buffer.byteLength(JSON.stringify(fields)) > signInFields.keptBytes ? {} : fields
  const shown = [username.slice(0, longestUsername), message?.slice(0, longestMessage) ?? null, kept]
  const text = JSON.stringify(shown)
  const value = encodeURIComponent(sealing.seal(text, attemptPlace(pending)))
  return cookie(cookieNames(issuer).signInAttempt, value, { issuer, maxAgeSeconds: attemptSeconds })
}

export function endedAttemptCookie(issuer: string): string {
  return cookie(cookieNames(issuer).signInAttempt, '', { issuer, maxAgeSeconds: 0 })
}

/**
 * Reads the last attempt from the request's cookies; `null` when no attempt of this sign-in failed recently, or the
 * seal is invalid.
 */
export function readAttempt(
  sealing: Sealing,
  cookieHeader: string | null,
  { pending, issuer }: SignInOrigin,
): SignInAttempt | null {
  const value = readCookie(cookieHeader, cookieNames(issuer).signInAttempt)
  if (value === null || value === '') return null
  try {
    const [username, message, fields]: unknown[] = JSON.parse(
      sealing.open(decodeURIComponent(value), attemptPlace(pending)),
    )
    if (typeof username !== 'string') return null
    return { username, message: typeof message === 'string' ? message : null, fields: textsOf(fields) }
  } catch {
    // Altered, of another sign-in, or sealed under a key that no longer exists: the user types the name again
    return null
  }
}

/** Returns the texts of a stored object; empty for a seal of an earlier release, which has no fields. */
function textsOf(stored: unknown): Readonly<Record<string, string>> {
  const entries = isRecord(stored) ? Object.entries(stored) : []
  return Object.fromEntries(
    entries.flatMap(([name, text]) => (typeof text === 'string' ? [[name, text]] : [])),
  )
}

/** The data that a refused form of an invitation or of the first owner shows again. */
export type SetUpAttempt = {
  readonly username: string
  readonly name: string
  readonly errors: readonly { readonly path: string; readonly message: string }[]
}

/** The link of a set-up. `token` is in the link: only the page of that link can open the seal. */
type SetUpLink = { readonly token: string; readonly issuer: string }

const setUpSeconds = 600
const longestName = 255

export function setUpAttemptCookie(
  sealing: Sealing,
  { token, issuer, attempt }: SetUpLink & { readonly attempt: SetUpAttempt },
): string {
  const { username, name, errors } = attempt
  const kept = { username: username.slice(0, longestName), name: name.slice(0, longestName), errors }
  const value = encodeURIComponent(sealing.seal(JSON.stringify(kept), setUpPlace(token)))
  return cookie(cookieNames(issuer).adminSetUp, value, { issuer, maxAgeSeconds: setUpSeconds })
}

export function endedSetUpAttemptCookie(issuer: string): string {
  return cookie(cookieNames(issuer).adminSetUp, '', { issuer, maxAgeSeconds: 0 })
}

/** Reads the attempt; `null` when no form was refused recently, or the seal is invalid. */
export function readSetUpAttempt(
  sealing: Sealing,
  { token, issuer, cookieHeader }: SetUpLink & { readonly cookieHeader: string | null },
): SetUpAttempt | null {
  const value = readCookie(cookieHeader, cookieNames(issuer).adminSetUp)
  if (value === null || value === '') return null
  try {
    return JSON.parse(sealing.open(decodeURIComponent(value), setUpPlace(token)))
  } catch {
    // Altered, of another link, or sealed under a key that no longer exists: the form starts empty
    return null
  }
}

function setUpPlace(token: string): string {
  return `cookie:set-up:${token}`
}

/** The sealing context of the user name of a new account. */
const createdPlace = 'cookie:set-up-done'

/** Makes the cookie with the user name of an account that was created now, in place of that of the attempt. */
export function createdAccountCookie(sealing: Sealing, username: string, issuer: string): string {
  const value = encodeURIComponent(sealing.seal(username.slice(0, longestName), createdPlace))
  return cookie(cookieNames(issuer).adminSetUp, value, { issuer, maxAgeSeconds: attemptSeconds })
}

/** Reads the user name; `null` when no account was created in this browser recently, or the seal is invalid. */
export function readCreatedAccount(
  sealing: Sealing,
  cookieHeader: string | null,
  issuer: string,
): string | null {
  const value = readCookie(cookieHeader, cookieNames(issuer).adminSetUp)
  if (value === null || value === '') return null
  try {
    return sealing.open(decodeURIComponent(value), createdPlace)
  } catch {
    // Altered, of a refused form, or sealed under a key that no longer exists: the user types the name again
    return null
  }
}

/** The pages that require a sign-in themselves. A sign-in that no client requested returns only to these pages. */
const backPages = /^\/account(?:\/password)?(?:\?|$)/
const longestBack = 1000
const backSeconds = 600

/**
 * Returns `path`, with its query, if it is a page of this server that requires a sign-in; otherwise `null` (UXC-07).
 */
export function backPath(path: string | null | undefined): string | null {
  if (path === null || path === undefined || path.length > longestBack) return null
  const local = localPath(path, '')
  return backPages.test(local) ? local : null
}

/**
 * Makes the cookie with the page that required the sign-in. Sign-ins with an identity provider, and those that a step
 * interrupts, need it, because they return to a different address.
 */
export function backCookie(back: string, issuer: string): string {
  const value = encodeURIComponent(back)
  return cookie(cookieNames(issuer).returnPath, value, { issuer, maxAgeSeconds: backSeconds })
}

export function endedBackCookie(issuer: string): string {
  return cookie(cookieNames(issuer).returnPath, '', { issuer, maxAgeSeconds: 0 })
}

/**
 * Reads the page from the cookie. It is checked as strictly as an address in a query, because another host of the same
 * site can set a cookie.
 */
export function readBack(cookieHeader: string | null, issuer: string): string | null {
  const value = readCookie(cookieHeader, cookieNames(issuer).returnPath)
  if (value === null) return null
  try {
    return backPath(decodeURIComponent(value))
  } catch {
    // The value is not from this server: treated as absent
    return null
  }
}
