/** The levels of assurance that the factors of a sign-in reach. */
import type { Credential } from '#lib/ports/sign-in-steps.ts'

/**
 * The levels in ascending order: one factor, two factors, and a passkey whose authenticator verified the user. The last one
 * resists phishing.
 */
export const assurances = ['pwd', 'mfa', 'passkey'] as const
export type Assurance = (typeof assurances)[number]

/** A factor of a sign-in or of a stored session. Sessions of earlier versions have no kind. */
type ProvenFactor = {
  readonly methods: readonly string[]
  readonly credential: { readonly kind?: Credential['kind'] }
}

/** Returns the level that the factors reach together. A trusted browser is not a factor. */
export function assuranceOfFactors(factors: readonly ProvenFactor[]): Assurance {
  // A passkey has `mfa` among its methods if its authenticator verified the user
  if (factors.some(({ credential, methods }) => credential.kind === 'passkey' && methods.includes('mfa')))
    return 'passkey'
  return factors.length > 1 ? 'mfa' : 'pwd'
}

/** Whether a level satisfies a required one: a higher level satisfies a lower one. */
export function reaches(level: Assurance, required: Assurance): boolean {
  return assurances.indexOf(level) >= assurances.indexOf(required)
}

/**
 * Returns the methods of a passkey (RFC 8176): a key in hardware or, if it can be copied to other devices, in software; the
 * test that a user is present; and `mfa` if the authenticator verified the user.
 */
export function passkeyMethods({
  canBeBackedUp,
  isUserVerified,
}: {
  readonly canBeBackedUp: boolean
  readonly isUserVerified: boolean
}): readonly string[] {
  return [canBeBackedUp ? 'swk' : 'hwk', 'user', ...(isUserVerified ? ['mfa'] : [])]
}
