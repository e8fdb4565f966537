/** The page that required the sign-in, stored until the sign-in is complete (UXC-07). */

import { localPath } from '#lib/protocol/wire/local-paths.ts'
import { cookie, cookieNames, readCookie } from './cookies.ts'

/** Only pages that ask for a sign-in by themselves: what is found here is followed without a question. */
const pages = /^\/account(?:\/password)?(?:\?|$)/
const longest = 1000
const lifetimeSeconds = 600

/** `path` when it is such a page of this origin, its query included; else `null`. */
export function backPath(path: string | null | undefined): string | null {
  if (path === null || path === undefined || path.length > longest) return null
  const local = localPath(path, '')
  return pages.test(local) ? local : null
}

/** For sign-ins with an identity provider, which return to a separate address. */
export function backCookie(back: string, issuer: string): string {
  const value = encodeURIComponent(back)
  return cookie(cookieNames(issuer).back, value, { issuer, maxAgeSeconds: lifetimeSeconds })
}

export function endedBackCookie(issuer: string): string {
  return cookie(cookieNames(issuer).back, '', { issuer, maxAgeSeconds: 0 })
}

/** Parsed as strictly as the address was: a cookie can be set by a neighbour. */
export function readBack(cookieHeader: string | null, issuer: string): string | null {
  const value = readCookie(cookieHeader, cookieNames(issuer).back)
  if (value === null) return null
  try {
    return backPath(decodeURIComponent(value))
  } catch {
    // Not ours: as good as none
    return null
  }
}
