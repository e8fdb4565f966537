import type { IdentityProvider } from '#lib/ports/upstream.ts'
import type { ExternalKey } from '#lib/ports/users.ts'

/** An issuer of Microsoft Entra that stands for several organizations; each has its own issuer on the same host. */
const severalTenants = /\/(?:organizations|common|consumers)\/v2\.0$/

/** Whether the provider, as it is configured now, can still sign in the identity: its issuer may have been changed. */
export function isIdentityOf({ scheme, preset, issuer }: IdentityProvider, key: ExternalKey): boolean {
  if (key.scheme !== scheme) return false
  const hasTenants = preset === 'microsoft' && severalTenants.test(issuer)
  return hasTenants ? new URL(key.issuer).host === new URL(issuer).host : key.issuer === issuer
}
