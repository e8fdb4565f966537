/** The values of a refused profile form, for the page that shows it again: they are never in a URL. */
import { isRecord } from '#lib/protocol/registration/fields.ts'
import { cookie, cookieNames } from './cookies.ts'
import { type CookieSealing, readSealed, sealedCookie } from './step-cookies.ts'

/** The user, to whom the sealed values are bound, and the issuer. */
type Owner = { readonly subject: string; readonly issuer: string }

const seconds = 120
/** Browsers accept 4096 bytes for a cookie. Longer values are not shown again. */
const longest = 2000

function place({ subject, issuer }: Owner) {
  return { name: cookieNames(issuer).profile, place: `cookie:profile:${subject}`, issuer }
}

export function profileCookie(
  sealing: CookieSealing,
  values: Readonly<Record<string, string>>,
  owner: Owner,
): string {
  const value = Buffer.byteLength(JSON.stringify(values)) > longest ? {} : values
  return sealedCookie(sealing, place(owner), { value, seconds })
}

export function endedProfileCookie(issuer: string): string {
  return cookie(cookieNames(issuer).profile, '', { issuer, maxAgeSeconds: 0 })
}

/** Reads the values; none if no form of this user was refused recently. */
export function readProfileCookie(
  sealing: CookieSealing,
  cookieHeader: string | null,
  owner: Owner,
): ReadonlyMap<string, string> {
  const stored = readSealed(sealing, cookieHeader, place(owner))
  const entries = isRecord(stored) ? Object.entries(stored) : []
  return new Map(entries.flatMap(([name, text]) => (typeof text === 'string' ? [[name, text] as const] : [])))
}
