/** Clients and scopes of a configuration as the store keeps them: a document without secrets, and hashes. */
import type { StoredSecret } from '#lib/ports/clients.ts'
import type { ClientRecord, ScopeRecord } from '#lib/ports/configuration-store.ts'
import type { JsonValue } from '#lib/protocol/claims.ts'
import { scopeNameSchema } from '#lib/protocol/ids.ts'
import type { ClientRegistration, ScopeRegistration } from '#lib/protocol/registration/configuration-file.ts'
import { type SecretEntry, secretEntries } from '#lib/protocol/registration/records.ts'
import { scopeMetadataSchema, standardScope, standardScopes } from '#lib/protocol/registration/scope.ts'
import type { RecordParts } from './stored-parts.ts'

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
