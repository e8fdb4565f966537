/** What a failed sign-in leaves for the next try: sealed, for two minutes, and never in an address. */
import { cookie, cookieNames, readCookie } from './cookies.ts'

export type Attempt = {
  readonly username: string
  /** What the user service wants the person to read. */
  readonly message: string | null
}

type Sealing = {
  readonly seal: (plaintext: string, place: string) => string
  readonly open: (sealed: string, place: string) => string
}

const place = 'cookie:attempt:sign-in'
const lifetimeSeconds = 120
export const longestUsername = 255
const longestMessage = 500

export function attemptCookie(sealing: Sealing, { username, message }: Attempt, issuer: string): string {
  const text = JSON.stringify([username.slice(0, longestUsername), message?.slice(0, longestMessage) ?? null])
  const value = encodeURIComponent(sealing.seal(text, place))
  return cookie(cookieNames(issuer).attempt, value, { issuer, maxAgeSeconds: lifetimeSeconds })
}

export function endedAttemptCookie(issuer: string): string {
  return cookie(cookieNames(issuer).attempt, '', { issuer, maxAgeSeconds: 0 })
}

/** `cookieHeader` is the request's; `null` when no recent attempt failed, or the seal is invalid. */
export function readAttemptedUsername(
  sealing: Sealing,
  cookieHeader: string | null,
  issuer: string,
): string | null {
  return readAttempt(sealing, cookieHeader, issuer)?.username ?? null
}

/** What the user service said to the person at the failed try, where it said something. */
export function readAttemptMessage(
  sealing: Sealing,
  cookieHeader: string | null,
  issuer: string,
): string | null {
  return readAttempt(sealing, cookieHeader, issuer)?.message ?? null
}

function readAttempt(sealing: Sealing, cookieHeader: string | null, issuer: string): Attempt | null {
  const value = readCookie(cookieHeader, cookieNames(issuer).attempt)
  if (value === null || value === '') return null
  try {
    const [username, message]: unknown[] = JSON.parse(sealing.open(decodeURIComponent(value), place))
    if (typeof username !== 'string') return null
    return { username, message: typeof message === 'string' ? message : null }
  } catch {
    // Altered, or sealed under a key that is gone: the person types the name again.
    return null
  }
}
