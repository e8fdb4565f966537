/**
 * The codes of authenticator apps: TOTP (RFC 6238) with SHA-1, 6 digits and steps of 30 seconds, the values that every app
 * supports.
 */
import { Secret, TOTP } from 'otpauth'
import { secondFactors as limits } from '#lib/config/limits.ts'
import { displayText } from '#lib/protocol/text/display-text.ts'

const stepMs = 30_000
const parameters = { algorithm: 'SHA1', digits: 6, period: stepMs / 1000 } as const

/** Makes a secret of 160 bits, the length that RFC 4226 4 recommends, in Base32. */
export function newTotpSecret(): string {
  return new Secret({ size: 20 }).base32
}

/** Returns the digits of a typed code, which may contain spaces and dashes; `null` if it cannot be a code. */
export function parseTotp(typed: string): string | null {
  const digits = typed.slice(0, limits.typedCharacters).replace(/[\s-]/g, '')
  return /^[0-9]{6}$/.test(digits) ? digits : null
}

/**
 * Returns the time step to which the code belongs: the current one, or the one before or after it, since clocks differ and
 * typing takes time (RFC 6238 5.2); `null` if the code is wrong.
 */
export function stepOfTotp(secret: string, code: string, now: Date): number | null {
  const timestamp = now.getTime()
  const totp = new TOTP({ ...parameters, secret: Secret.fromBase32(secret) })
  const difference = totp.validate({ token: code, timestamp, window: 1 })
  return difference === null ? null : Math.floor(timestamp / stepMs) + difference
}

type Key = { readonly secret: string; readonly siteName: string; readonly accountName: string }

/** Returns the address that gives the key to an app (Key URI Format). */
export function totpKeyUri({ secret, siteName, accountName }: Key): string {
  const names = { issuer: keyName(siteName), label: keyName(accountName) }
  return new TOTP({ ...parameters, ...names, secret: Secret.fromBase32(secret) }).toString()
}

const longestKeyName = 60
const longestEncodedName = 300

/** Returns a name without colons, which would separate issuer and account, and short enough for a QR code. */
function keyName(name: string): string {
  const shown = displayText(name.replaceAll(':', ' '), longestKeyName)
  let rest = [...shown]
  while (encodeURIComponent(rest.join('')).length > longestEncodedName) rest = rest.slice(0, -1)
  return rest.join('')
}
