/** What applying a configuration document would change, found without changing anything. */
import { z } from 'zod'
import type { AuditEntry, Expected } from '#lib/ports/admin-store.ts'
import type { ConfigurationChanges } from '#lib/ports/configuration-store.ts'
import { type JsonValue, jsonValueSchema } from '#lib/protocol/claims.ts'
import { clientMetadataSchema } from '#lib/protocol/registration/client.ts'
import type {
  ClientRegistration,
  ConfigurationFile,
  ScopeRegistration,
} from '#lib/protocol/registration/configuration-file.ts'
import { isRecord } from '#lib/protocol/registration/fields.ts'
import {
  type ProviderRecord,
  providerSecretContext,
  type UserRecord,
} from '#lib/protocol/registration/records.ts'
import { scopeMetadataSchema } from '#lib/protocol/registration/scope.ts'
import type { AdminPorts } from '../admin-ports.ts'
import type { AdminCall } from '../use-case.ts'
import { canonicalJson, compareDocuments } from './compare-documents.ts'
import { clientRecords, type RecordParts, scopeRecords } from './configured-records.ts'
import { providerDocument, userDocument } from './export-configuration.ts'
import { userRecords } from './user-records.ts'

const differenceSchema = z.object({
  field: z.string(),
  before: jsonValueSchema.optional(),
  after: jsonValueSchema.optional(),
})

export const planSchema = z.object({
  digest: z.string().describe('Identifies exactly these changes; required to apply them.'),
  changes: z.array(
    z.object({
      kind: z.enum(['client', 'scope', 'user', 'provider']),
      id: z.string(),
      change: z.enum(['added', 'changed']),
      differences: z.array(differenceSchema),
      note: z.string().nullable().describe('A sentence about what remains to be done by hand.'),
    }),
  ),
  unchanged: z.number(),
})

type Plan = z.infer<typeof planSchema>

export type Planned = {
  readonly plan: Plan
  readonly put: ConfigurationChanges['put']
  readonly expected: readonly Expected[]
  readonly audit: readonly AuditEntry[]
}

/**
 * Compares documents with their defaults filled in, so that an explicit default is not a change. Objects that the document
 * does not contain are kept, and so are stored secrets and passwords.
 */
export async function planConfiguration(
  ports: AdminPorts,
  { document, isDryRun }: { readonly document: ConfigurationFile; readonly isDryRun: boolean },
  call: AdminCall,
): Promise<Planned> {
  const items = await plannedItems(ports, document, isDryRun)
  const changed = items.filter(isChange)
  return {
    plan: planOf(ports, changed, items.length - changed.length),
    put: {
      clients: changed.flatMap(({ put }) => put.clients ?? []),
      scopes: changed.flatMap(({ put }) => put.scopes ?? []),
      users: changed.flatMap(({ put }) => put.users ?? []),
      providers: changed.flatMap(({ put }) => put.providers ?? []),
    },
    expected: changed.map(({ expected }) => expected),
    audit: changed.map(item => call.entry({ ...item, after: withNote(item) })),
  }
}

function isChange({ before, after, setsSecrets }: PlannedItem): boolean {
  return setsSecrets || canonicalJson(before) !== canonicalJson(after)
}

/** Documents do not contain secrets and passwords, so the audit row notes a new one. */
function withNote({ kind, after, setsSecrets }: PlannedItem): JsonValue {
  if (!setsSecrets || !isRecord(after)) return after
  if (kind === 'user') return { ...after, password: 'set' }
  return kind === 'provider' ? { ...after, secret_changed: true } : after
}

function planOf(
  { hashing }: Pick<AdminPorts, 'hashing'>,
  items: readonly PlannedItem[],
  unchanged: number,
): Plan {
  const changes = items.map(({ kind, id, before, after, note }) => ({
    kind,
    id,
    change: before === null ? ('added' as const) : ('changed' as const),
    differences: compareDocuments(before, after).map(difference => ({ ...difference })),
    note,
  }))
  return { digest: hashing.digest(canonicalJson(items.map(factsOf))), changes, unchanged }
}

/** What must not differ when it is applied. */
function factsOf({ kind, id, isIdMade = false, expected, after }: PlannedItem): JsonValue {
  if (!isIdMade || !isRecord(after)) return [kind, id, expected.version, after]
  return [kind, null, expected.version, { ...after, sub: null }]
}

type PlannedItem = {
  readonly kind: 'client' | 'scope' | 'user' | 'provider'
  readonly id: string
  /** The document has no id, so the id differs each time. */
  readonly isIdMade?: boolean
  readonly before: JsonValue | null
  readonly after: JsonValue
  /** The document contains secrets or passwords, which are not compared. */
  readonly setsSecrets: boolean
  readonly note: string | null
  readonly expected: Expected
  readonly put: ConfigurationChanges['put']
}

/**
 * `isDryRun`: nothing is hashed, and no password is compared with the stored one. Admins who may only read could otherwise
 * guess passwords by comparing (AD-03).
 */
async function plannedItems(
  ports: AdminPorts,
  document: ConfigurationFile,
  isDryRun: boolean,
): Promise<readonly PlannedItem[]> {
  const parts = isDryRun ? { ...recordParts(ports), ...hashingNothing } : recordParts(ports)
  const items: PlannedItem[] = []
  for (const client of document.clients) items.push(await clientItem(ports, parts, client))
  for (const scope of document.scopes) items.push(await scopeItem(ports, parts, scope))
  for (const user of document.users) items.push(await userItem(ports, parts, user))
  for (const provider of document.identity_providers) items.push(await providerItem(ports, provider))
  return items
}

function recordParts({ secretKeeper, ...ports }: AdminPorts): RecordParts {
  return { ...ports, secrets: secretKeeper, storage: ports }
}

const hashingNothing: Pick<RecordParts, 'passwords' | 'secrets'> = {
  passwords: {
    hash: async () => '',
    verify: async () => false,
    needsRehash: () => true,
    flawOf: async () => null,
  },
  secrets: { digests: async secrets => secrets.map(() => '') },
}

async function clientItem(
  ports: AdminPorts,
  parts: RecordParts,
  registration: ClientRegistration,
): Promise<PlannedItem> {
  const clientId = registration.client_id
  const stored = await ports.adminLists.client(clientId)
  const [record] = await clientRecords(parts, [registration])
  if (record === undefined) throw new Error('a registration gives one record')
  const setsSecrets = record.secrets.length > 0
  const secrets = setsSecrets ? record.secrets : (stored?.secrets ?? [])
  const isPublic = registration.token_endpoint_auth_method === 'none'
  return {
    kind: 'client',
    id: clientId,
    before: stored === null ? null : filled(clientMetadataSchema.parse(stored.metadata)),
    after: filled(clientMetadataSchema.parse(record.metadata)),
    setsSecrets,
    note: secrets.length === 0 && !isPublic ? 'It has no secret yet: add one afterwards.' : null,
    expected: { kind: 'client', id: clientId, version: stored?.version ?? 0 },
    put: { clients: [{ ...record, secrets }] },
  }
}

async function scopeItem(
  ports: AdminPorts,
  parts: RecordParts,
  registration: ScopeRegistration,
): Promise<PlannedItem> {
  const { name } = registration
  const stored = await ports.adminLists.scope(name)
  const record = (await scopeRecords(parts, [registration])).find(it => it.name === name)
  if (record === undefined) throw new Error('a registration gives one record')
  const setsSecrets = record.secrets.length > 0
  return {
    kind: 'scope',
    id: name,
    before: stored === null ? null : filled(scopeMetadataSchema.parse(stored.metadata)),
    after: filled(scopeMetadataSchema.parse(record.metadata)),
    setsSecrets,
    note: null,
    expected: { kind: 'scope', id: name, version: stored?.version ?? 0 },
    put: { scopes: [{ ...record, secrets: setsSecrets ? record.secrets : (stored?.secrets ?? []) }] },
  }
}

async function userItem(ports: AdminPorts, parts: RecordParts, user: UserRecord): Promise<PlannedItem> {
  const [configured] = await userRecords(parts, [user])
  if (configured === undefined) throw new Error('a user gives one record')
  const { keepsPassword: _none, ...record } = configured.record
  const stored = await ports.adminLists.user(record.subject)
  const { passwordHash, mustChangePassword } =
    user.password === undefined && stored !== null ? stored : record
  const changed = { ...record, passwordHash, mustChangePassword }
  return {
    kind: 'user',
    id: record.subject,
    isIdMade: stored === null && user.sub === undefined,
    before: stored && userDocument(stored),
    after: userDocument(changed),
    setsSecrets: user.password !== undefined,
    note:
      passwordHash === null
        ? 'The user has no password: reset it, or let the user sign in with an identity provider.'
        : null,
    expected: { kind: 'user', id: record.subject, version: stored?.version ?? 0 },
    put: { users: [changed] },
  }
}

async function providerItem(ports: AdminPorts, given: ProviderRecord): Promise<PlannedItem> {
  const { scheme, client_secret: secret } = given
  const stored = (await ports.adminLists.providers()).find(provider => provider.scheme === scheme) ?? null
  // AD-05: changing the issuer of a provider must not reveal its secret to the new issuer
  const kept = stored?.issuer === given.issuer ? stored.clientSecret : null
  const provider = {
    scheme,
    displayName: given.display_name ?? scheme,
    issuer: given.issuer,
    clientId: given.client_id,
    clientSecret: secret === null ? kept : ports.sealing.seal(secret, providerSecretContext(scheme)),
    domains: given.domains.map(domain => domain.toLowerCase()),
    enabled: given.enabled,
  }
  return {
    kind: 'provider',
    id: scheme,
    before: stored && providerDocument(stored),
    after: providerDocument(provider),
    setsSecrets: secret !== null,
    note: provider.clientSecret === null ? missingSecret(stored) : null,
    expected: { kind: 'provider', id: scheme, version: stored?.version ?? 0 },
    put: { providers: [provider] },
  }
}

function missingSecret(stored: { readonly clientSecret: string | null } | null): string {
  return (stored?.clientSecret ?? null) === null
    ? 'It has no secret: add one unless it is a public client.'
    : 'The issuer has changed, so the stored secret cannot be used: add the secret of the new issuer.'
}

function filled(read: object): JsonValue {
  return JSON.parse(JSON.stringify(read))
}
