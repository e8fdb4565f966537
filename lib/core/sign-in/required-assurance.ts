/** The level of assurance that a client and its request require of a sign-in. */
import type { SignInHints } from '#lib/ports/users.ts'
import { type Assurance, acrValuesWithLevel, assurances, levelOfAcr } from '#lib/protocol/acr-values.ts'

/**
 * Returns the higher one of two levels: that of the client's `require_acr`, and the lowest level that `acr_values` names, since
 * any of its values satisfies the request. Only factors reach it: a trusted browser does not.
 */
export function requiredAssurance({
  client,
  acrValues,
}: Pick<SignInHints, 'client' | 'acrValues'>): Assurance {
  const required = client?.requireAcr ?? null
  const ofClient = required === null ? [] : [levelOfAcr(required)]
  const requested = acrValuesWithLevel(acrValues).map(levelOfAcr)
  const ofRequest = requested.length === 0 ? [] : [lowestOf(requested)]
  return highestOf([...ofClient, ...ofRequest])
}

function lowestOf(levels: readonly Assurance[]): Assurance {
  return assurances.find(level => levels.includes(level)) ?? 'pwd'
}

function highestOf(levels: readonly Assurance[]): Assurance {
  return assurances.findLast(level => levels.includes(level)) ?? 'pwd'
}
