/** What applying a configuration needs: a look at what is stored, and the keepers of secrets. */
import type { Clients, Scopes, StoredSecret } from '#lib/ports/clients.ts'
import type { ClientRecord, ScopeRecord } from '#lib/ports/configuration-store.ts'
import type { Random, Sealing } from '#lib/ports/environment.ts'
import type { IdentityProvider, IdentityProviders } from '#lib/ports/grants.ts'
import type { Passwords, Users } from '#lib/ports/users.ts'
import type { JsonValue } from '#lib/protocol/claims.ts'
import { scopeNameSchema } from '#lib/protocol/ids.ts'
import type { ClientRegistration, ScopeRegistration } from '#lib/protocol/registration/configuration-file.ts'
import {
  type ProviderRecord,
  providerSecretContext,
  type SecretEntry,
  secretEntries,
} from '#lib/protocol/registration/records.ts'
import { scopeMetadataSchema, standardScope, standardScopes } from '#lib/protocol/registration/scope.ts'

export type ConfiguredStore = {
  readonly clients: Pick<Clients, 'find'>
  readonly scopes: Pick<Scopes, 'find'>
  readonly providers: Pick<IdentityProviders, 'find'>
  readonly users: Pick<Users, 'findBySubject' | 'findByUsername'>
}

export type Keepers = {
  readonly random: Random
  readonly sealing: Sealing
  readonly passwords: Passwords
  /** What to store of one owner's secrets, in their order. Those that are stored already keep their digests. */
  readonly secrets: {
    readonly digests: (
      secrets: readonly string[],
      stored: readonly StoredSecret[],
    ) => Promise<readonly string[]>
  }
  /** Why a password must not be set, as the end of a sentence; `null` if it may be. `context`: words about the user. */
  readonly passwordProblem: (password: string, context: readonly string[]) => Promise<string | null>
}

export type RecordParts = Keepers & { readonly storage: ConfiguredStore }

/** Those that are stored already keep the ids of their secrets. */
export async function clientRecords(
  parts: RecordParts,
  wanted: readonly ClientRegistration[],
): Promise<readonly ClientRecord[]> {
  const records: ClientRecord[] = []
  for (const registration of wanted) {
    const {
      client_secret: _one,
      client_secret_expires_at: _end,
      client_secrets: _more,
      ...metadata
    } = registration
    const stored = await parts.storage.clients.find(registration.client_id)
    const secrets = await storedSecrets(parts, clientSecretEntries(registration), stored?.secrets ?? [])
    records.push({ clientId: registration.client_id, metadata: toJson(metadata), secrets })
  }
  return records
}

/** The file's scopes, based on standard scopes with the same name; then the missing standard ones. */
export async function scopeRecords(
  parts: RecordParts,
  wanted: readonly ScopeRegistration[],
): Promise<readonly ScopeRecord[]> {
  const records: ScopeRecord[] = []
  for (const { secrets: entries, ...metadata } of wanted) {
    const stored = await parts.storage.scopes.find(metadata.name)
    const secrets = await storedSecrets(parts, secretEntries(entries), stored?.secrets ?? [])
    records.push({ name: metadata.name, metadata: toJson(metadata), secrets })
  }
  for (const standard of standardScopes) {
    const name = scopeNameSchema.parse(standard.name)
    if (records.some(record => record.name === name) || (await parts.storage.scopes.find(name)) !== null)
      continue
    records.push(standardScopeRecord(standard.name))
  }
  return records
}

/** A standard scope with its defaults. */
export function standardScopeRecord(name: string): ScopeRecord {
  const metadata = scopeMetadataSchema.parse(standardScope(name))
  return { name: metadata.name, metadata: toJson(metadata), secrets: [] }
}

function clientSecretEntries(registration: ClientRegistration): readonly SecretEntry[] {
  const end = registration.client_secret_expires_at
  const expiresAt = end === 0 ? null : new Date(end * 1000)
  const first =
    registration.client_secret === undefined ? [] : [{ value: registration.client_secret, expiresAt }]
  return [...first, ...secretEntries(registration.client_secrets)]
}

/** Keeps stored digests, so that applying the same file twice changes nothing. */
async function storedSecrets(
  { secrets, random }: RecordParts,
  entries: readonly SecretEntry[],
  stored: readonly StoredSecret[],
): Promise<readonly StoredSecret[]> {
  const ends = new Map(entries.map(({ value, expiresAt }) => [value, expiresAt]))
  const digests = await secrets.digests([...ends.keys()], stored)
  return [...ends.values()].map((expiresAt, index) => {
    const digest = digests[index] ?? ''
    const known = stored.find(secret => secret.digest === digest)
    return { id: known?.id ?? random.id(), digest, expiresAt }
  })
}

/** As the store writes it: fields that were not given are left out. */
function toJson(metadata: Readonly<Record<string, unknown>>): JsonValue {
  return JSON.parse(JSON.stringify(metadata))
}

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
  const place = providerSecretContext(scheme)
  return stored !== null && sealing.open(stored, place) === secret ? stored : sealing.seal(secret, place)
}
