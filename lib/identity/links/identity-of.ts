/** Compares the identity of a user with the identity provider as it is configured now. */
import type { IdentityProvider } from '#lib/ports/upstream.ts'
import type { ExternalKey } from '#lib/ports/users.ts'

/** The addresses of Microsoft Entra for several organizations, each of which has its own issuer at the same host. */
const severalTenants = /\/(?:organizations|common|consumers)\/v2\.0$/

/** Whether the provider, as it is configured now, can still sign in the identity: its issuer may have been changed. */
export function isIdentityOf({ scheme, preset, issuer }: IdentityProvider, key: ExternalKey): boolean {
  if (key.scheme !== scheme) return false
  const hasTenants = preset === 'microsoft' && severalTenants.test(issuer)
  return hasTenants ? new URL(key.issuer).host === new URL(issuer).host : key.issuer === issuer
}

/** Whether both keys name one identity. */
export function isSameIdentity(one: ExternalKey, other: ExternalKey): boolean {
  return one.scheme === other.scheme && one.issuer === other.issuer && one.subject === other.subject
}
