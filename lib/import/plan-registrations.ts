/** Plans clients and scopes of an import, with the same validation as the dashboard. */
import type { AdminPorts } from '#lib/admin/admin-ports.ts'
import { errorFor, type FieldError } from '#lib/admin/admin-result.ts'
import { clientErrors, clients } from '#lib/admin/clients/client-resource.ts'
import { canonicalJson } from '#lib/admin/configuration/compare-documents.ts'
import { standardScopeRecord } from '#lib/admin/configuration/configured-records.ts'
import { reservedScope } from '#lib/admin/configuration/document-problems.ts'
import { checkedScope, scopes } from '#lib/admin/scopes/scope-resource.ts'
import { findRegistration, type StoredSecret } from '#lib/ports/clients.ts'
import type { ClientRecord, ScopeRecord } from '#lib/ports/configuration-store.ts'
import { adminScope } from '#lib/protocol/admin-role.ts'
import { clientIdSchema, type ScopeName, scopeNameSchema } from '#lib/protocol/ids.ts'
import { type Client, clientFromMetadata, clientMetadataSchema } from '#lib/protocol/registration/client.ts'
import {
  knownScopes,
  scopeMetadataSchema,
  standardScope,
  unknownScope,
} from '#lib/protocol/registration/scope.ts'
import { scopeWords } from '#lib/protocol/wire/scopes.ts'
import type { ImportedRegistration } from './imported.ts'
import type { Document } from './mapping/field-map.ts'
import type { ImportedSecret } from './mapping/secrets.ts'
import { decide, type ImportPorts, isAccepted, isWritten, type Planning } from './planning.ts'

type PlannedScopes = {
  readonly scopes: readonly ScopeRecord[]
  /** All scopes that are not refused: clients may name them. */
  readonly names: readonly ScopeName[]
}

/** Plans scopes. `clientIds`: the clients of this import. */
export async function planScopes(
  planning: Planning,
  imported: Iterable<ImportedRegistration>,
  clientIds: ReadonlySet<unknown>,
): Promise<PlannedScopes> {
  const planned = { scopes: [] as ScopeRecord[], names: [] as ScopeName[] }
  for (const given of imported) {
    const scope = await withoutTakenSecrets(planning, given, clientIds)
    const { name, record } = await planScope(planning, scope)
    if (name !== null) planned.names.push(name)
    if (record !== null) planned.scopes.push(record)
  }
  return planned
}

type PlannedClients = {
  readonly clients: readonly ClientRecord[]
  /** All clients that are not refused, by their IDs. */
  readonly known: ReadonlyMap<string, Client>
}

/** Plans clients. `names`: the scopes of this import. */
export async function planClients(
  planning: Planning,
  imported: Iterable<ImportedRegistration>,
  names: readonly ScopeName[],
): Promise<PlannedClients> {
  const { ports } = planning
  const checking = { ...ports, adminLists: knowingScopes(ports.adminLists, names) }
  const registered = await checking.adminLists.scopes()
  const scopes = knownScopes(registered.map(({ name }) => name))
  const planned = { clients: [] as ClientRecord[], known: new Map<string, Client>() }
  for (const given of imported) {
    const found = await planClient(planning, withoutUnknownScopes(given, scopes), checking)
    if (found === null) continue
    planned.known.set(found.record.clientId, clientFromMetadata(found.record.metadata))
    if (found.isWritten) planned.clients.push(found.record)
  }
  return planned
}

/**
 * Removes scopes that do not exist from a client. The other server kept the names of removed scopes, and ignored them.
 */
function withoutUnknownScopes(
  given: ImportedRegistration,
  scopes: ReadonlySet<string>,
): ImportedRegistration {
  const { document, notes } = given
  const words = typeof document.scope === 'string' ? scopeWords(document.scope) : []
  const unknown = words.filter(word => !scopes.has(word))
  if (unknown.length === 0) return given
  const leftOut = unknown.map(
    word => ({ kind: 'left_out', field: 'AllowedScopes', text: unknownScope(word, scopes) }) as const,
  )
  const scope = words.filter(word => scopes.has(word)).join(' ')
  return { ...given, document: { ...document, scope }, notes: [...notes, ...leftOut] }
}

/**
 * Removes the secrets of a scope that has the name of a client. Introspection uses one name for both, and would require
 * the client's secret.
 */
async function withoutTakenSecrets(
  { ports }: Planning,
  given: ImportedRegistration,
  clientIds: ReadonlySet<unknown>,
): Promise<ImportedRegistration> {
  const { document, notes, secrets } = given
  if (secrets.length === 0) return given
  const { name } = document
  const isTaken = clientIds.has(name) || (await findRegistration(ports, name ?? null)) !== null
  if (!isTaken) return given
  const text = 'a client has the same name: its API introspects with the secret of the client'
  return { ...given, secrets: [], notes: [...notes, { kind: 'left_out', field: 'secrets', text }] }
}

type PlannedScope = { readonly name: ScopeName | null; readonly record: ScopeRecord | null }

/**
 * Plans a scope. `name` is `null` if the scope is refused, so that clients may not use it. `record` is `null` if nothing
 * is to be written.
 */
async function planScope(planning: Planning, given: ImportedRegistration): Promise<PlannedScope> {
  const { place, notes, document } = given
  const name = scopeNameSchema.safeParse(document.name).data ?? null
  const id = idOf(document.name)
  const errors = async () => scopeErrors(document)
  if (!(await isAccepted(planning, { of: 'scope', place, id, notes, errors })) || name === null)
    return { name: null, record: null }
  const stored = await planning.ports.adminLists.scope(name)
  const secrets = storedSecrets(planning.ports, given.secrets, stored?.secrets ?? [])
  const row = { name, metadata: document, secrets }
  const outcome = await decide(planning, scopes, {
    of: 'scope',
    place,
    row,
    stored,
    isSame: other => isSameRegistration(scopeMetadataSchema, other, row),
    original: standardScope(name) === null ? null : standardScopeRecord(name),
  })
  return { name, record: isWritten(outcome) ? row : null }
}

async function planClient(
  planning: Planning,
  given: ImportedRegistration,
  checking: ImportPorts,
): Promise<{ readonly record: ClientRecord; readonly isWritten: boolean } | null> {
  const { place, notes, document } = given
  const clientId = clientIdSchema.safeParse(document.client_id).data ?? null
  const id = idOf(document.client_id)
  const errors = async () =>
    (await clientErrors(checking, { document, before: {}, found: adminScopeErrors(document) })).map(
      withRemedy,
    )
  if (!(await isAccepted(planning, { of: 'client', place, id, notes, errors })) || clientId === null)
    return null
  const stored = await planning.ports.adminLists.client(clientId)
  const secrets = storedSecrets(planning.ports, given.secrets, stored?.secrets ?? [])
  const row = { clientId, metadata: document, secrets }
  const outcome = await decide(planning, clients, {
    of: 'client',
    place,
    row,
    stored,
    isSame: other => isSameRegistration(clientMetadataSchema, other, row),
    original: null,
  })
  return { record: row, isWritten: isWritten(outcome) }
}

/** Remedies for errors about missing objects, by the path of the error. */
const remedies: readonly (readonly [RegExp, string])[] = [
  [/^grant_types\.\d+$/, 'implement it in the extensions file, or remove it from the client'],
  [/^identity_provider_restrictions\.\d+$/, 'add it first, or remove it from the client'],
]

function withRemedy({ path, message }: FieldError): FieldError {
  const [, remedy] = remedies.find(([pattern]) => pattern.test(path)) ?? []
  const isUnknown = message.includes('is not a known')
  return {
    path,
    message: isUnknown && remedy !== undefined ? `${message.replace(/\.$/, '')}: ${remedy}` : message,
  }
}

function scopeErrors(document: Document): readonly FieldError[] {
  const id = idOf(document.name)
  const checked = checkedScope(document, errorFor('name', id === null ? null : reservedScope(id)))
  return checked.kind === 'invalid' ? checked.errors : []
}

/**
 * Refuses the scope of the admin API: an administrator who signs in to such a client gives it all their rights here,
 * and only an owner may decide that.
 */
function adminScopeErrors({ scope }: Document): readonly FieldError[] {
  const hasIt = typeof scope === 'string' && scopeWords(scope).includes(adminScope)
  return errorFor('scope', hasIt ? `"${adminScope}" opens the admin API here; add it in the dashboard` : null)
}

function idOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}

/**
 * Adds the scopes of this import to those that clients may name. The stored scopes and providers are read only once.
 */
function knowingScopes(
  adminLists: AdminPorts['adminLists'],
  added: readonly ScopeName[],
): AdminPorts['adminLists'] {
  const providers = adminLists.providers()
  const scopes = adminLists.scopes().then(stored => [...stored, ...added.map(plannedScope)])
  return { ...adminLists, scopes: () => scopes, providers: () => providers }
}

function plannedScope(name: ScopeName) {
  const never = new Date(0)
  return {
    name,
    metadata: { name },
    secrets: [],
    secretDates: [],
    version: 0,
    createdAt: never,
    updatedAt: never,
  }
}

/** Gives each secret an ID. A secret that is already stored keeps its ID, so that it is unchanged. */
function storedSecrets(
  { random }: Pick<ImportPorts, 'random'>,
  secrets: readonly ImportedSecret[],
  stored: readonly StoredSecret[],
): readonly StoredSecret[] {
  return secrets.map(secret => ({
    ...secret,
    id: stored.find(({ digest }) => digest === secret.digest)?.id ?? random.id(),
  }))
}

type Registration = Pick<ClientRecord, 'metadata' | 'secrets'>
type DocumentSchema = { readonly parse: (document: unknown) => unknown }

function isSameRegistration(schema: DocumentSchema, left: Registration, right: Registration): boolean {
  return canonicalJson(factsIn(schema, left)) === canonicalJson(factsIn(schema, right))
}

function factsIn(schema: DocumentSchema, { metadata, secrets }: Registration) {
  return {
    metadata: schema.parse(metadata),
    secrets: secrets.map(({ digest, expiresAt }) => [digest, expiresAt?.toISOString() ?? null]),
  }
}
