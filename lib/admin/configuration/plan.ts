/** Computes the changes that applying a configuration document would make, without making them. */
import { z } from 'zod'
import type { AuditEntry, Expected } from '#lib/ports/admin-store.ts'
import type { ClientRecord, ConfigurationChanges, ScopeRecord } from '#lib/ports/configuration-store.ts'
import type { Passwords } from '#lib/ports/passwords.ts'
import type { IdentityProvider } from '#lib/ports/upstream.ts'
import { type JsonValue, jsonValueSchema } from '#lib/protocol/claims.ts'
import { clientMetadataSchema } from '#lib/protocol/registration/client.ts'
import type { ConfigurationFile } from '#lib/protocol/registration/configuration-file.ts'
import { isRecord } from '#lib/protocol/registration/fields.ts'
import { type Policies, policiesId } from '#lib/protocol/registration/policies.ts'
import { reviewDocument } from '#lib/protocol/registration/review/review.ts'
import { scopeMetadataSchema } from '#lib/protocol/registration/scope.ts'
import type { AdminPorts } from '../admin-ports.ts'
import type { AdminCall } from '../use-case.ts'
import { canonicalJson, compareDocuments } from './compare-documents.ts'
import { type RecordParts, registrationRecords, sendsSecretAlike, toJson } from './configured-records.ts'
import { policiesDocument, providerDocument, userDocument } from './export-configuration.ts'
import { findingSchema } from './review-configuration.ts'
import { type ConfiguredUser, userRecords } from './user-records.ts'

const differenceSchema = z.object({
  field: z.string(),
  before: jsonValueSchema.optional(),
  after: jsonValueSchema.optional(),
})

export const planSchema = z.object({
  digest: z.string().describe('Identifies exactly these changes; required to apply them.'),
  changes: z.array(
    z.object({
      kind: z.enum(['client', 'scope', 'user', 'provider', 'policies']),
      id: z.string(),
      change: z.enum(['added', 'changed']),
      differences: z.array(differenceSchema),
      note: z.string().nullable().describe('A sentence about what remains to be done by hand.'),
    }),
  ),
  unchanged: z.number(),
  findings: z.array(findingSchema).describe('What security guidance advises against in the document.'),
})

type Plan = z.infer<typeof planSchema>

export type Planned = {
  readonly plan: Plan
  readonly put: ConfigurationChanges['put']
  readonly expected: readonly Expected[]
  readonly audit: readonly AuditEntry[]
}

/**
 * Plans the changes. Documents are compared with their defaults, so that an explicit default is not a change. Objects that the
 * document does not contain are kept. Stored secrets and passwords are kept where it has no new ones, except the secret of a
 * provider whose issuer changes.
 */
export async function planConfiguration(
  ports: AdminPorts,
  { document, isDryRun }: { readonly document: ConfigurationFile; readonly isDryRun: boolean },
  call: AdminCall,
): Promise<Planned> {
  const items = await plannedItems(ports, document, isDryRun)
  const changed = items.filter(isChange)
  return {
    plan: planOf(ports, { changed, unchanged: items.length - changed.length, document }),
    put: {
      clients: changed.flatMap(({ put }) => put.clients ?? []),
      scopes: changed.flatMap(({ put }) => put.scopes ?? []),
      users: changed.flatMap(({ put }) => put.users ?? []),
      providers: changed.flatMap(({ put }) => put.providers ?? []),
      policies: changed.flatMap(({ put }) => put.policies ?? []),
    },
    expected: changed.map(({ kind, id, version }) => ({ kind, id, version })),
    audit: changed.map(item => call.entry({ ...item, after: withNote(item) })),
  }
}

function isChange({ before, after, setsSecrets }: PlannedItem): boolean {
  return setsSecrets || canonicalJson(before) !== canonicalJson(after)
}

/** Notes the new password of a user or secret of a provider in the audit row, whose document contains neither. */
function withNote({ kind, after, setsSecrets }: PlannedItem): JsonValue {
  if (!setsSecrets || !isRecord(after)) return after
  if (kind === 'user') return { ...after, password: 'set' }
  return kind === 'provider' ? { ...after, secret_changed: true } : after
}

type PlanParts = {
  readonly changed: readonly PlannedItem[]
  readonly unchanged: number
  readonly document: ConfigurationFile
}

function planOf({ hashing }: Pick<AdminPorts, 'hashing'>, { changed, unchanged, document }: PlanParts): Plan {
  const changes = changed.map(({ kind, id, before, after, note }) => ({
    kind,
    id,
    change: before === null ? ('added' as const) : ('changed' as const),
    differences: compareDocuments(before, after).map(difference => ({ ...difference })),
    note,
  }))
  return {
    digest: hashing.digest(canonicalJson(changed.map(factsOf))),
    changes,
    unchanged,
    findings: [...reviewDocument(document).findings],
  }
}

/** The facts that must be equal in the dry run and when the plan is applied. */
function factsOf({ kind, id, version, isIdMade = false, after }: PlannedItem): JsonValue {
  if (!isIdMade || !isRecord(after)) return [kind, id, version, after]
  return [kind, null, version, { ...after, sub: null }]
}

type PlannedItem = Expected & {
  /** Whether the `sub` was generated, because the document gives none. It then differs in each plan. */
  readonly isIdMade?: boolean
  readonly before: JsonValue | null
  readonly after: JsonValue
  /** Whether the document contains secrets or passwords. They count as changes, since they are not compared. */
  readonly setsSecrets: boolean
  readonly note: string | null
  readonly put: ConfigurationChanges['put']
}

/**
 * Plans each object. In a dry run nothing is hashed and no password is compared with a stored one: admins who may only read could
 * otherwise guess passwords (AD-03).
 */
async function plannedItems(
  { secretKeeper, ...ports }: AdminPorts,
  document: ConfigurationFile,
  isDryRun: boolean,
): Promise<readonly PlannedItem[]> {
  // Hides stored providers, so that planning decrypts no secret; secrets of the document are encrypted again
  const storage = { ...ports, providers: { find: async () => null } }
  const { passwords } = ports
  const keepers = { passwords, secrets: secretKeeper }
  const parts: RecordParts = { ...ports, storage, ...(isDryRun ? hashingNothing(passwords) : keepers) }
  const records = await registrationRecords(parts, document)
  const isNamed = ({ name }: ScopeRecord) => document.scopes.some(scope => scope.name === name)
  const users = await userRecords(parts, document.users)
  return Promise.all([
    ...records.clients.map(record => clientItem(ports, record)),
    ...records.scopes.filter(isNamed).map(record => scopeItem(ports, record)),
    ...users.map(user => userItem(ports, document, user)),
    ...records.providers.map(record => providerItem(ports, record)),
    ...records.policies.map(record => policiesItem(ports, record)),
  ])
}

function hashingNothing(passwords: Passwords): Pick<RecordParts, 'passwords' | 'secrets'> {
  return {
    passwords: { ...passwords, hash: async () => '', verify: async () => false, needsRehash: () => true },
    secrets: { digests: async secrets => secrets.map((_, index) => `${index}`) },
  }
}

type StoredPorts = Pick<AdminPorts, 'adminLists'>

async function clientItem({ adminLists }: StoredPorts, record: ClientRecord): Promise<PlannedItem> {
  const stored = await adminLists.client(record.clientId)
  const after = clientMetadataSchema.parse(record.metadata)
  const secrets = record.secrets.length > 0 ? record.secrets : (stored?.secrets ?? [])
  const isPublic = after.token_endpoint_auth_method === 'none'
  return {
    kind: 'client',
    id: record.clientId,
    before: stored && toJson(clientMetadataSchema.parse(stored.metadata)),
    after: toJson(after),
    setsSecrets: record.secrets.length > 0,
    note: secrets.length === 0 && !isPublic ? 'It has no secret yet: add one afterwards.' : null,
    version: stored?.version ?? 0,
    put: { clients: [{ ...record, secrets }] },
  }
}

async function scopeItem({ adminLists }: StoredPorts, record: ScopeRecord): Promise<PlannedItem> {
  const stored = await adminLists.scope(record.name)
  const secrets = record.secrets.length > 0 ? record.secrets : (stored?.secrets ?? [])
  return {
    kind: 'scope',
    id: record.name,
    before: stored && toJson(scopeMetadataSchema.parse(stored.metadata)),
    after: toJson(scopeMetadataSchema.parse(record.metadata)),
    setsSecrets: record.secrets.length > 0,
    note: null,
    version: stored?.version ?? 0,
    put: { scopes: [{ ...record, secrets }] },
  }
}

async function userItem(
  { adminLists }: StoredPorts,
  document: ConfigurationFile,
  { record: { keepsPassword: _none, ...record }, password }: ConfiguredUser,
): Promise<PlannedItem> {
  const stored = await adminLists.user(record.subject)
  const { passwordHash, mustChangePassword } = password === null && stored !== null ? stored : record
  const changed = { ...record, passwordHash, mustChangePassword }
  return {
    kind: 'user',
    id: record.subject,
    isIdMade: stored === null && !document.users.some(({ sub }) => sub === record.subject),
    before: stored && userDocument(stored),
    after: userDocument(changed),
    setsSecrets: password !== null,
    note:
      passwordHash === null
        ? 'The user has no password: reset it, or let the user sign in with an identity provider.'
        : null,
    version: stored?.version ?? 0,
    put: { users: [changed] },
  }
}

async function providerItem(
  { adminLists }: StoredPorts,
  { clientSecret: given, ...record }: IdentityProvider,
): Promise<PlannedItem> {
  const { scheme } = record
  const stored = (await adminLists.providers()).find(provider => provider.scheme === scheme) ?? null
  // AD-05: changing the address that receives the secret must not reveal it
  const kept = stored !== null && sendsSecretAlike(stored, record) ? stored.clientSecret : null
  const provider = { ...record, clientSecret: given ?? kept }
  return {
    kind: 'provider',
    id: scheme,
    before: stored && providerDocument(stored),
    after: providerDocument(provider),
    setsSecrets: given !== null,
    note: provider.clientSecret === null ? missingSecret(stored) : null,
    version: stored?.version ?? 0,
    put: { providers: [provider] },
  }
}

async function policiesItem({ adminLists }: StoredPorts, record: Policies): Promise<PlannedItem> {
  const stored = await adminLists.policies()
  return {
    kind: 'policies',
    id: policiesId,
    before: stored && policiesDocument(stored),
    after: policiesDocument(record),
    setsSecrets: false,
    note: null,
    version: stored?.version ?? 0,
    put: { policies: [record] },
  }
}

function missingSecret(stored: { readonly clientSecret: string | null } | null): string {
  return (stored?.clientSecret ?? null) === null
    ? 'It has no secret: add one unless it is a public client.'
    : 'The issuer has changed, so the stored secret cannot be used: add the secret of the new issuer.'
}
