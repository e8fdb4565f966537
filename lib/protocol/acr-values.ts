/** The levels of assurance of a sign-in, and their names in `acr_values` and in the claim `acr`. */

/**
 * The levels in ascending order: one factor, two factors, and a passkey whose authenticator verified the user. The last one
 * resists phishing.
 */
export const assurances = ['pwd', 'mfa', 'passkey'] as const
export type Assurance = (typeof assurances)[number]

/**
 * The names in ascending order, with their levels. `phr` is the phishing-resistant class of OpenID Connect EAP ACR Values
 * 1.0; its `phrh` would need an attestation of the hardware.
 */
const levelOfName = {
  'urn:latchkey:pwd': 'pwd',
  'urn:latchkey:mfa': 'mfa',
  'urn:latchkey:passkey': 'passkey',
  phr: 'passkey',
} as const satisfies Readonly<Record<string, Assurance>>

export type AcrValue = keyof typeof levelOfName
export const supportedAcrValues = [
  'urn:latchkey:pwd',
  'urn:latchkey:mfa',
  'urn:latchkey:passkey',
  'phr',
] as const

/** Returns the level that a name stands for. */
export function levelOfAcr(value: AcrValue): Assurance {
  return levelOfName[value]
}

/** Returns the name of a level in the claim `acr`, if the request names none. */
export function acrOfLevel(level: Assurance): AcrValue {
  return `urn:latchkey:${level}`
}

/** Returns the values that name a level, in the order of the request. Other values are for the user service. */
export function acrValuesWithLevel(values: readonly string[]): readonly AcrValue[] {
  return values.filter((value): value is AcrValue => Object.hasOwn(levelOfName, value))
}
