/**
 * Converts the clients, scopes and providers of a configuration to records of the store, with the functions that hash and seal
 * secrets.
 */
import type { Clients, Scopes, StoredSecret } from '#lib/ports/clients.ts'
import type { ClientRecord, Configuration, ScopeRecord } from '#lib/ports/configuration-store.ts'
import type { Random, Sealing } from '#lib/ports/environment.ts'
import type { Passwords } from '#lib/ports/passwords.ts'
import type { IdentityProvider, IdentityProviders } from '#lib/ports/upstream.ts'
import type { Users } from '#lib/ports/users.ts'
import type { JsonValue } from '#lib/protocol/claims.ts'
import {
  type ClientRegistration,
  type ConfigurationFile,
  type ScopeRegistration,
  separateSecrets,
} from '#lib/protocol/registration/configuration-file.ts'
import { withPresetDefaults } from '#lib/protocol/registration/provider-rules.ts'
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
  /** Computes the digests to store for the secrets of one owner, in their order. Secrets that are stored keep their digests. */
  readonly secrets: {
    readonly digests: (
      secrets: readonly string[],
      stored: readonly StoredSecret[],
    ) => Promise<readonly string[]>
  }
}

export type RecordParts = Keepers & { readonly storage: ConfiguredStore }

/**
 * Converts clients, scopes and providers to records, and adds the missing standard scopes. Secrets that are stored keep their
 * IDs.
 */
export async function registrationRecords(
  parts: RecordParts,
  { clients, scopes, identity_providers: providers, policies }: ConfigurationFile,
): Promise<Omit<Configuration, 'users'>> {
  return {
    clients: await Promise.all(clients.map(client => clientRecord(parts, client))),
    scopes: [
      ...(await Promise.all(scopes.map(scope => scopeRecord(parts, scope)))),
      ...(await missingStandardScopes(parts, scopes)),
    ],
    providers: await Promise.all(providers.map(provider => providerRecord(parts, provider))),
    policies: policies === undefined ? [] : [policies],
  }
}

async function clientRecord(parts: RecordParts, registration: ClientRegistration): Promise<ClientRecord> {
  const { client_id: clientId } = registration
  const { metadata, secrets: entries } = separateSecrets(registration)
  const stored = await parts.storage.clients.find(clientId)
  const secrets = await storedSecrets(parts, entries, stored?.secrets ?? [])
  return { clientId, metadata: toJson(metadata), secrets }
}

async function scopeRecord(
  parts: RecordParts,
  { secrets: entries, additional_claims: additional, ...registration }: ScopeRegistration,
): Promise<ScopeRecord> {
  const metadata = { ...registration, claims: [...new Set([...registration.claims, ...additional])] }
  const stored = await parts.storage.scopes.find(metadata.name)
  const secrets = await storedSecrets(parts, secretEntries(entries), stored?.secrets ?? [])
  return { name: metadata.name, metadata: toJson(metadata), secrets }
}

/** The standard scopes that are neither stored nor in the document. */
async function missingStandardScopes(
  { storage }: RecordParts,
  wanted: readonly ScopeRegistration[],
): Promise<readonly ScopeRecord[]> {
  const records = standardScopes
    .map(({ name }) => standardScopeRecord(name))
    .filter(({ name }) => !wanted.some(scope => scope.name === name))
  const stored = await Promise.all(records.map(({ name }) => storage.scopes.find(name)))
  return records.filter((_record, index) => stored[index] === null)
}

/** A standard scope with its defaults. */
export function standardScopeRecord(name: string): ScopeRecord {
  const metadata = scopeMetadataSchema.parse(standardScope(name))
  return { name: metadata.name, metadata: toJson(metadata), secrets: [] }
}

/** The secrets to store. Known ones keep their IDs and digests. */
async function storedSecrets(
  { secrets, random }: RecordParts,
  entries: readonly SecretEntry[],
  stored: readonly StoredSecret[],
): Promise<readonly StoredSecret[]> {
  const values = [...new Set(entries.flatMap(entry => ('value' in entry ? [entry.value] : [])))]
  const digests = await secrets.digests(values, stored)
  const digestOf = (entry: SecretEntry) =>
    'digest' in entry ? entry.digest : (digests[values.indexOf(entry.value)] ?? '')
  const ends = new Map(entries.map(entry => [digestOf(entry), entry.expiresAt]))
  return [...ends].map(([digest, expiresAt]) => {
    const known = stored.find(secret => secret.digest === digest)
    return { id: known?.id ?? random.id(), digest, expiresAt }
  })
}

/** Converts a document to JSON as the store writes it: members that are `undefined` are left out. */
export function toJson(metadata: object): JsonValue {
  return JSON.parse(JSON.stringify(metadata))
}

async function providerRecord(parts: RecordParts, provider: ProviderRecord): Promise<IdentityProvider> {
  const stored = await parts.storage.providers.find(provider.scheme)
  return providerFromDocument(provider, sealedSecret(parts, provider, stored?.clientSecret ?? null))
}

/** Converts a provider of a document to a record. `clientSecret` is the sealed secret. */
export function providerFromDocument(
  document: Omit<ProviderRecord, 'client_secret'>,
  clientSecret: string | null,
): IdentityProvider {
  return {
    scheme: document.scheme,
    displayName: document.display_name ?? document.scheme,
    preset: document.preset,
    clientId: document.client_id,
    clientSecret,
    ...withPresetDefaults(document),
    domains: [...new Set(document.domains.map(domain => domain.toLowerCase()))],
    authorizationEndpoint: document.authorization_endpoint,
    tokenEndpoint: document.token_endpoint,
    userinfoEndpoint: document.userinfo_endpoint,
    clientAuthentication: document.client_authentication,
    claimNames: document.claim_names,
    pkce: document.pkce,
    teamId: document.team_id,
    keyId: document.key_id,
    signOutAtProvider: document.sign_out_at_provider,
    hidden: document.hidden,
    secondFactorValues: [...new Set(document.second_factor_values)],
    trustsEmail: document.trusts_email,
    enabled: document.enabled,
  }
}

type SecretReceiver = Pick<IdentityProvider, 'preset' | 'issuer' | 'tokenEndpoint'>

/** AD-05: whether both send the secret to the same address in the same way, so that one can keep the secret of the other. */
export function sendsSecretAlike(one: SecretReceiver, other: SecretReceiver): boolean {
  return (
    one.preset === other.preset && one.issuer === other.issuer && one.tokenEndpoint === other.tokenEndpoint
  )
}

/** Seals the secret of a provider. An unchanged one keeps its sealed text, because sealing gives a different text each time. */
function sealedSecret(
  { sealing }: RecordParts,
  { scheme, client_secret: secret }: ProviderRecord,
  stored: string | null,
): string | null {
  if (secret === null) return null
  const place = providerSecretContext(scheme)
  return stored !== null && sealing.open(stored, place) === secret ? stored : sealing.seal(secret, place)
}
