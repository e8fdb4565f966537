/** Identity providers of a configuration as the store keeps them: their secrets sealed. */
import type { IdentityProvider } from '#lib/ports/grants.ts'
import { type ProviderRecord, providerSecretPlace } from '#lib/protocol/registration/records.ts'
import type { RecordParts } from './stored-parts.ts'

export async function providerRecords(
  parts: RecordParts,
  wanted: readonly ProviderRecord[],
): Promise<readonly IdentityProvider[]> {
  const records: IdentityProvider[] = []
  for (const provider of wanted) {
    const stored = await parts.storage.providers.find(provider.scheme)
    records.push({
      scheme: provider.scheme,
      displayName: provider.display_name ?? provider.scheme,
      issuer: provider.issuer,
      clientId: provider.client_id,
      clientSecret: sealedSecret(parts, provider, stored?.clientSecret ?? null),
      domains: provider.domains.map(domain => domain.toLowerCase()),
      enabled: provider.enabled,
    })
  }
  return records
}

/** Sealing is different each time, so an unchanged secret keeps the text it was sealed to. */
function sealedSecret(
  { sealing }: RecordParts,
  { scheme, client_secret: secret }: ProviderRecord,
  stored: string | null,
): string | null {
  if (secret === null) return null
  const place = providerSecretPlace(scheme)
  return stored !== null && sealing.open(stored, place) === secret ? stored : sealing.seal(secret, place)
}
