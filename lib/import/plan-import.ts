/**
 * What an import would write: compared with what is stored, and checked by the same rules as in the dashboard. Nothing that an
 * admin changed is overwritten unless the operator asks for it.
 */
import type { AdminPorts } from '#lib/admin/admin-ports.ts'
import { errorFor, type FieldError } from '#lib/admin/admin-result.ts'
import { clientErrors, clients } from '#lib/admin/clients/client-resource.ts'
import { canonicalJson } from '#lib/admin/configuration/compare-documents.ts'
import { standardScopeRecord } from '#lib/admin/configuration/configured-records.ts'
import { reservedScope } from '#lib/admin/configuration/document-problems.ts'
import { checkedScope, scopes } from '#lib/admin/scopes/scope-resource.ts'
import type { AuditEntry, Change } from '#lib/ports/admin-store.ts'
import type { StoredSecret } from '#lib/ports/clients.ts'
import type { ClientRecord, ScopeRecord } from '#lib/ports/configuration-store.ts'
import { clientIdSchema, type ScopeName, scopeNameSchema } from '#lib/protocol/ids.ts'
import { clientMetadataSchema } from '#lib/protocol/registration/client.ts'
import { scopeMetadataSchema, standardScope } from '#lib/protocol/registration/scope.ts'
import type { Imported, ImportedRegistration } from './imported.ts'
import type { Document } from './mapping/field-map.ts'
import type { ImportedSecret } from './mapping/secrets.ts'
import {
  beginPlanning,
  entry,
  type ImportPorts,
  importedKinds,
  isAccepted,
  isToBeWritten,
  type Planning,
} from './planning.ts'

export type ImportPlan = Pick<Planning, 'counts' | 'notes'> & {
  readonly change: Change
  /** Identifies exactly these changes. */
  readonly digest: string
}

/** `replaces`: what an admin changed since then is overwritten. */
export async function planImport(
  ports: ImportPorts,
  imported: Imported,
  { replaces }: { readonly replaces: boolean },
): Promise<ImportPlan> {
  const planning = beginPlanning(ports, replaces)
  const put = { scopes: [] as ScopeRecord[], clients: [] as ClientRecord[] }
  const names: ScopeName[] = []
  for (const given of imported.scopes) {
    const { name, record } = await planScope(planning, given)
    if (name !== null) names.push(name)
    if (record !== null) put.scopes.push(record)
  }
  const known = { ...ports, adminLists: knowingScopes(ports.adminLists, names) }
  for (const given of imported.clients) {
    const record = await planClient(planning, given, known)
    if (record !== null) put.clients.push(record)
  }
  const { counts, notes, expected, audit } = planning
  const change: Change = {
    writes: [{ kind: 'import', put, expected }],
    audit: audit.length === 0 ? [] : [...audit, summaryOf(planning)],
  }
  return { counts, notes, change, digest: ports.hashing.digest(canonicalJson(audit.map(factsOf))) }
}

/** The row at the top of the list of changes. */
function summaryOf({ counts }: Planning): AuditEntry {
  const written = importedKinds.map(kind => {
    const { added, updated } = counts[kind]
    return [kind, { added, updated }] as const
  })
  return entry({ kind: 'configuration', id: 'import', before: null, after: Object.fromEntries(written) })
}

/** The ids of new secrets differ each time. */
function factsOf({ targetKind, targetId, before, after }: AuditEntry) {
  const withoutIds = JSON.stringify([before, after], (name, value) =>
    name === 'secrets' ? value.length : value,
  )
  return [targetKind, targetId, withoutIds]
}

type PlannedScope = { readonly name: ScopeName | null; readonly record: ScopeRecord | null }

/** `name`: clients may name it. `record`: it is to be written. */
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
  const isWritten = await isToBeWritten(planning, scopes, {
    of: 'scope',
    place,
    row,
    isSame: other => isSameRegistration(scopeMetadataSchema, other, row),
    original: standardScope(name) === null ? null : standardScopeRecord(name),
  })
  return { name, record: isWritten ? row : null }
}

async function planClient(
  planning: Planning,
  given: ImportedRegistration,
  known: ImportPorts,
): Promise<ClientRecord | null> {
  const { place, notes, document } = given
  const clientId = clientIdSchema.safeParse(document.client_id).data ?? null
  const id = idOf(document.client_id)
  const errors = () => clientErrors(known, { document, before: {} })
  if (!(await isAccepted(planning, { of: 'client', place, id, notes, errors })) || clientId === null)
    return null
  const stored = await planning.ports.adminLists.client(clientId)
  const secrets = storedSecrets(planning.ports, given.secrets, stored?.secrets ?? [])
  const row = { clientId, metadata: document, secrets }
  const isWritten = await isToBeWritten(planning, clients, {
    of: 'client',
    place,
    row,
    isSame: other => isSameRegistration(clientMetadataSchema, other, row),
    original: null,
  })
  return isWritten ? row : null
}

function scopeErrors(document: Document): readonly FieldError[] {
  const id = idOf(document.name)
  const checked = checkedScope(document, errorFor('name', id === null ? null : reservedScope(id)))
  return checked.kind === 'invalid' ? checked.errors : []
}

function idOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}

/** Clients may name scopes that this import adds. What is stored is read once. */
function knowingScopes(
  adminLists: AdminPorts['adminLists'],
  added: readonly ScopeName[],
): AdminPorts['adminLists'] {
  const stored = adminLists.scopes()
  const providers = adminLists.providers()
  const scopes = stored.then(([first, ...others]) => {
    if (first === undefined) return []
    return [first, ...others, ...added.map(name => ({ ...first, name }))]
  })
  return { ...adminLists, scopes: () => scopes, providers: () => providers }
}

/** A secret that is stored already keeps its id, so that it is the same. */
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
