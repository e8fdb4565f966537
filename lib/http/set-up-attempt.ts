/** What a refused set-up form leaves for the next try: sealed, for a few minutes, for that one link. */
import { cookie, cookieNames, readCookie } from './cookies.ts'

export type SetUpAttempt = {
  readonly username: string
  readonly name: string
  readonly errors: readonly { readonly path: string; readonly message: string }[]
}

type Sealing = {
  readonly seal: (plaintext: string, place: string) => string
  readonly open: (sealed: string, place: string) => string
}

const lifetimeSeconds = 600
const longestName = 255

/** `token` is that of the link: only its page can open the seal. */
export function setUpAttemptCookie(
  sealing: Sealing,
  {
    token,
    issuer,
    attempt,
  }: { readonly token: string; readonly issuer: string; readonly attempt: SetUpAttempt },
): string {
  const { username, name, errors } = attempt
  const kept = { username: username.slice(0, longestName), name: name.slice(0, longestName), errors }
  const value = sealing.seal(JSON.stringify(kept), placeOf(token))
  return cookie(cookieNames(issuer).setUp, encodeURIComponent(value), {
    issuer,
    maxAgeSeconds: lifetimeSeconds,
  })
}

export function endedSetUpAttemptCookie(issuer: string): string {
  return cookie(cookieNames(issuer).setUp, '', { issuer, maxAgeSeconds: 0 })
}

/** `null` when nothing was refused recently, or the seal is invalid. */
export function readSetUpAttempt(
  sealing: Sealing,
  {
    token,
    issuer,
    cookieHeader,
  }: { readonly token: string; readonly issuer: string; readonly cookieHeader: string | null },
): SetUpAttempt | null {
  const value = readCookie(cookieHeader, cookieNames(issuer).setUp)
  if (value === null || value === '') return null
  try {
    return JSON.parse(sealing.open(decodeURIComponent(value), placeOf(token)))
  } catch {
    // Altered, of another link, or sealed under a key that is gone: the form starts empty
    return null
  }
}

function placeOf(token: string): string {
  return `cookie:set-up:${token}`
}
