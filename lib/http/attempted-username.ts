/** The user name of a failed sign-in, kept for the next try: sealed, for two minutes, and never in an address. */
import { cookie, cookieNames, readCookie } from './cookies.ts'

const place = 'cookie:attempt:username'
const lifetimeSeconds = 120
const longest = 255

type Sealing = {
  readonly seal: (plaintext: string, place: string) => string
  readonly open: (sealed: string, place: string) => string
}

export function attemptedUsernameCookie(sealing: Sealing, username: string, issuer: string): string {
  const sealed = encodeURIComponent(sealing.seal(username.slice(0, longest), place))
  return cookie(cookieNames(issuer).attempt, sealed, { issuer, maxAgeSeconds: lifetimeSeconds })
}

export function forgottenUsernameCookie(issuer: string): string {
  return cookie(cookieNames(issuer).attempt, '', { issuer, maxAgeSeconds: 0 })
}

/** `cookieHeader` is the request's; `null` when there was no failed try, or the seal does not hold. */
export function readAttemptedUsername(
  sealing: Sealing,
  cookieHeader: string | null,
  issuer: string,
): string | null {
  const sealed = readCookie(cookieHeader, cookieNames(issuer).attempt)
  if (sealed === null || sealed === '') return null
  try {
    return sealing.open(decodeURIComponent(sealed), place)
  } catch {
    // Altered, or sealed by a key that is gone: the person types the name again.
    return null
  }
}
