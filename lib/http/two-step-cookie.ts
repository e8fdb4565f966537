/**
 * The cookie of a user who sets up an authenticator app: first the key that no code has confirmed yet, then the new recovery
 * codes, which the browser can show again for some minutes. Neither is stored on the server in plain text.
 */
import { lifetimeSeconds } from '#lib/config/limits.ts'
import { isRecord } from '#lib/protocol/registration/fields.ts'
import { cookie, cookieNames } from './cookies.ts'
import { type CookieSealing, readSealed, sealedCookie } from './step-cookies.ts'

/** The user, to whom the sealed values are bound, and the issuer. */
type Owner = { readonly subject: string; readonly issuer: string }

/** The user is part of the sealing context: another user of the browser cannot open the values. */
function place(purpose: 'key' | 'codes', { subject, issuer }: Owner) {
  return { name: cookieNames(issuer).twoStep, place: `cookie:two-step:${purpose}:${subject}`, issuer }
}

export function newKeyCookie(sealing: CookieSealing, secret: string, owner: Owner): string {
  const kept = { value: secret, seconds: lifetimeSeconds.authenticatorSetUp }
  return sealedCookie(sealing, place('key', owner), kept)
}

/** Reads the key; `null` if it has expired, or is of another user. */
export function readNewKey(sealing: CookieSealing, cookieHeader: string | null, owner: Owner): string | null {
  const secret = readSealed(sealing, cookieHeader, place('key', owner))
  return typeof secret === 'string' ? secret : null
}

/** New recovery codes, and whether they came with a new authenticator app. */
export type NewCodes = {
  readonly codes: readonly string[]
  readonly isFirstSet: boolean
  readonly madeAt: Date
}

export function newCodesCookie(
  sealing: CookieSealing,
  { codes, isFirstSet, madeAt }: NewCodes,
  owner: Owner,
): string {
  const value = { codes, isFirstSet, madeAt: madeAt.toISOString() }
  return sealedCookie(sealing, place('codes', owner), { value, seconds: lifetimeSeconds.recoveryCodesShown })
}

/** Reads the new recovery codes; `null` if there are none for this user. */
export function readNewCodes(
  sealing: CookieSealing,
  cookieHeader: string | null,
  owner: Owner,
): NewCodes | null {
  const stored = readSealed(sealing, cookieHeader, place('codes', owner))
  if (!isRecord(stored) || !Array.isArray(stored.codes)) return null
  const codes = stored.codes.filter(code => typeof code === 'string')
  return { codes, isFirstSet: stored.isFirstSet === true, madeAt: new Date(String(stored.madeAt)) }
}

export function endedTwoStepCookie(issuer: string): string {
  return cookie(cookieNames(issuer).twoStep, '', { issuer, maxAgeSeconds: 0 })
}
