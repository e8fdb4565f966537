/** The levels of assurance that the factors of a sign-in reach, and their names in tokens. */
import type { Session } from '#lib/ports/sessions.ts'
import type { Credential } from '#lib/ports/sign-in-steps.ts'
import {
  type Assurance,
  acrOfLevel,
  acrValuesWithLevel,
  assurances,
  levelOfAcr,
} from '#lib/protocol/acr-values.ts'
import type { Client } from '#lib/protocol/registration/client.ts'

/** A factor of a sign-in or of a stored session. Sessions of earlier versions have no kind. */
type ProvenFactor = {
  readonly methods: readonly string[]
  readonly credential: { readonly kind?: Credential['kind']; readonly hasTwoFactors?: true }
}

/** Returns the level that the factors reach together. A trusted browser is not a factor. */
export function assuranceOfFactors(factors: readonly ProvenFactor[]): Assurance {
  // A passkey has `mfa` among its methods if its authenticator verified the user
  if (factors.some(({ credential, methods }) => credential.kind === 'passkey' && methods.includes('mfa')))
    return 'passkey'
  return factors.length > 1 || factors.some(({ credential }) => credential.hasTwoFactors) ? 'mfa' : 'pwd'
}

/** Returns the level of a session. One of an earlier version without factors has one factor. */
export function assuranceOfSession({ details: { factors = [] } }: Pick<Session, 'details'>): Assurance {
  const proven = factors.map(({ methods, ...credential }) => ({ methods, credential }))
  return assuranceOfFactors(proven)
}

type AcrFacts = {
  readonly level: Assurance
  /** The class that the user service confirmed; `null`: none. */
  readonly confirmed: string | null
  readonly client: Pick<Client, 'requireAcr'>
  readonly acrValues: readonly string[]
}

/**
 * Returns the claim `acr`: the first requested value that the level satisfies (OpenID Connect Core 3.1.2.1: in order of
 * preference), else the class that the user service confirmed, else the name of the level.
 */
export function acrOf({ level, confirmed, client: { requireAcr }, acrValues }: AcrFacts): string {
  const requested = acrValuesWithLevel(acrValues).find(value => reaches(level, levelOfAcr(value)))
  if (requested !== undefined) return requested
  if (confirmed !== null) return confirmed
  return requireAcr !== null && levelOfAcr(requireAcr) === level ? requireAcr : acrOfLevel(level)
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
