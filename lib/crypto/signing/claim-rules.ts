/** The claims that every token contains. A missing one is a refusal (JW-04). */
import { clockSkewSeconds } from '#lib/config/limits.ts'
import type { Claims, JsonValue } from '#lib/protocol/claims.ts'

/**
 * Whether issuer, audience and times exist, have the right type, and are valid now. The expiry is exact, because this
 * server's clock set it. Start times may be a minute ahead, for nodes whose clocks differ.
 */
export function hasSoundClaims(
  claims: Claims,
  { issuer, now, ignoreExpiry }: { issuer: string; now: Date; ignoreExpiry: boolean },
): boolean {
  const { exp, nbf, iat } = claims
  if (claims.iss !== issuer || !isAudience(claims.aud)) return false
  if (!isTime(exp) || !isTime(nbf) || !isTime(iat)) return false
  const seconds = now.getTime() / 1000
  if (nbf > seconds + clockSkewSeconds || iat > seconds + clockSkewSeconds) return false
  return ignoreExpiry || exp > seconds
}

function isTime(value: JsonValue | undefined): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0
}

function isAudience(value: JsonValue | undefined): boolean {
  const names = Array.isArray(value) ? value : [value]
  return names.length > 0 && names.every(name => typeof name === 'string' && name !== '')
}
