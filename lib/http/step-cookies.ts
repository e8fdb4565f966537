/** Cookies that carry a value from one step of a sign-in or set-up to the next, for at most ten minutes. */
import { signInFields } from '#lib/config/limits.ts'
import type { PendingHandle } from '#lib/protocol/ids.ts'
import { isRecord } from '#lib/protocol/registration/fields.ts'
import { localPath } from '#lib/protocol/wire/local-paths.ts'
import { cookie, cookieNames, readCookie } from './cookies.ts'

export type CookieSealing = {
  readonly seal: (plaintext: string, place: string) => string
  readonly open: (sealed: string, place: string) => string
}

type SealedCookie = { readonly name: string; readonly place: string; readonly issuer: string }

/**
 * Makes a cookie with a sealed value. The end is sealed with it, because a browser may keep a cookie longer, or another
 * host of the same site may set it again.
 */
export function sealedCookie(
  sealing: CookieSealing,
  { name, place, issuer }: SealedCookie,
  { value, seconds }: { readonly value: unknown; readonly seconds: number },
): string {
  const text = JSON.stringify({ value, endsAt: Date.now() + seconds * 1000 })
  return cookie(name, encodeURIComponent(sealing.seal(text, place)), { issuer, maxAgeSeconds: seconds })
}

/**
 * Reads a sealed value; `undefined` if it is missing, has ended, was altered, is of another step or sign-in, or
 * was sealed under a key that no longer exists.
 */
export function readSealed(
  sealing: CookieSealing,
  cookieHeader: string | null,
  { name, place }: Pick<SealedCookie, 'name' | 'place'>,
): unknown {
  const sealed = readCookie(cookieHeader, name)
  if (sealed === null || sealed === '') return undefined
  try {
    const { value, endsAt } = JSON.parse(sealing.open(decodeURIComponent(sealed), place))
    return typeof endsAt === 'number' && endsAt > Date.now() ? value : undefined
  } catch {
    // The user types the values again
    return undefined
  }
}

/** The data that the sign-in page shows again after a failed sign-in. The user name is never in a URL. */
export type SignInAttempt = {
  readonly username: string
  /** The message of the user service or of a hook to the user. */
  readonly message: string | null
  /** The values of the additional fields of the form, without passwords. */
  readonly fields?: Readonly<Record<string, string>> | undefined
  /** The ID of the passkey that was used, if this server does not know it. */
  readonly unknownPasskey?: string | undefined
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
/** Most IDs are shorter; Web Authentication Level 3 allows 1364 characters, too many for a cookie. */
const longestPasskeyId = 400

type SignInOrigin = { readonly pending: PendingHandle | null; readonly issuer: string }

export function attemptCookie(
  sealing: CookieSealing,
  { username, message, fields = {}, unknownPasskey = '' }: SignInAttempt,
  { pending, issuer }: SignInOrigin,
): string {
  const kept = Buffer.byteLength(JSON.stringify(fields)) > signInFields.keptBytes ? {} : fields
  const passkey = unknownPasskey.length > longestPasskeyId ? '' : unknownPasskey
  const shown = [username.slice(0, longestUsername), message?.slice(0, longestMessage) ?? null, kept, passkey]
  const name = cookieNames(issuer).signInAttempt
  const place = attemptPlace(pending)
  return sealedCookie(sealing, { name, place, issuer }, { value: shown, seconds: attemptSeconds })
}

export function endedAttemptCookie(issuer: string): string {
  return cookie(cookieNames(issuer).signInAttempt, '', { issuer, maxAgeSeconds: 0 })
}

/**
 * Reads the last attempt from the request's cookies; `null` when no attempt of this sign-in failed recently, or the
 * seal is invalid.
 */
export function readAttempt(
  sealing: CookieSealing,
  cookieHeader: string | null,
  { pending, issuer }: SignInOrigin,
): SignInAttempt | null {
  const cookie = { name: cookieNames(issuer).signInAttempt, place: attemptPlace(pending) }
  const attempt = readSealed(sealing, cookieHeader, cookie)
  if (!Array.isArray(attempt)) return null
  const [username, message, fields, passkey]: unknown[] = attempt
  if (typeof username !== 'string') return null
  return {
    username,
    message: typeof message === 'string' ? message : null,
    fields: textsOf(fields),
    unknownPasskey: typeof passkey === 'string' && passkey !== '' ? passkey : undefined,
  }
}

/** Returns the members of an object that are texts. */
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
  sealing: CookieSealing,
  { token, issuer, attempt }: SetUpLink & { readonly attempt: SetUpAttempt },
): string {
  const { username, name, errors } = attempt
  const kept = { username: username.slice(0, longestName), name: name.slice(0, longestName), errors }
  const { adminSetUp } = cookieNames(issuer)
  const place = setUpPlace(token)
  return sealedCookie(sealing, { name: adminSetUp, place, issuer }, { value: kept, seconds: setUpSeconds })
}

export function endedSetUpAttemptCookie(issuer: string): string {
  return cookie(cookieNames(issuer).adminSetUp, '', { issuer, maxAgeSeconds: 0 })
}

/** Reads the attempt; `null` when no form was refused recently, or the seal is invalid. */
export function readSetUpAttempt(
  sealing: CookieSealing,
  { token, issuer, cookieHeader }: SetUpLink & { readonly cookieHeader: string | null },
): SetUpAttempt | null {
  const cookie = { name: cookieNames(issuer).adminSetUp, place: setUpPlace(token) }
  return (readSealed(sealing, cookieHeader, cookie) as SetUpAttempt | undefined) ?? null
}

function setUpPlace(token: string): string {
  return `cookie:set-up:${token}`
}

/** The sealing context of the user name of a new account. */
const createdPlace = 'cookie:set-up-done'

/** Makes the cookie with the user name of an account that was created now. It replaces the cookie of the attempt. */
export function createdAccountCookie(sealing: CookieSealing, username: string, issuer: string): string {
  const name = cookieNames(issuer).adminSetUp
  const kept = { value: username.slice(0, longestName), seconds: attemptSeconds }
  return sealedCookie(sealing, { name, place: createdPlace, issuer }, kept)
}

/** Reads the user name; `null` when no account was created in this browser recently, or the seal is invalid. */
export function readCreatedAccount(
  sealing: CookieSealing,
  cookieHeader: string | null,
  issuer: string,
): string | null {
  const cookie = { name: cookieNames(issuer).adminSetUp, place: createdPlace }
  const username = readSealed(sealing, cookieHeader, cookie)
  return typeof username === 'string' ? username : null
}

/** The pages that require a sign-in themselves. A sign-in that no client requested returns only to these pages. */
const backPages = /^\/account(?:\/[a-z-]+(?:\/(?:add|remove|confirm))?)?(?:\?|$)/
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
