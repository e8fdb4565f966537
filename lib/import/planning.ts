/** Plans the import of one scope, client or user: compares it with the stored one, counts it and adds notes. */
import type { AdminPorts } from '#lib/admin/admin-ports.ts'
import type { FieldError } from '#lib/admin/admin-result.ts'
import { canonicalJson } from '#lib/admin/configuration/compare-documents.ts'
import {
  auditedWrite,
  type Resource,
  type ResourceTypes,
  type StoredRow,
} from '#lib/admin/resource/resource.ts'
import { type AuditEntry, type AuditRow, type Expected, userDeletions } from '#lib/ports/admin-store.ts'
import type { JsonValue } from '#lib/protocol/claims.ts'
import { isRecord } from '#lib/protocol/registration/fields.ts'
import type { Note } from './mapping/field-map.ts'

export type ImportPorts = Pick<
  AdminPorts,
  | 'adminStore'
  | 'adminLists'
  | 'administrators'
  | 'clients'
  | 'users'
  | 'clock'
  | 'hashing'
  | 'random'
  | 'siteName'
  | 'customGrants'
  | 'consents'
  | 'importedTokens'
  | 'meta'
  | 'passwords'
>

export const importedKinds = ['scope', 'client', 'user', 'consent', 'login', 'token'] as const
export type ImportedKind = (typeof importedKinds)[number]

/**
 * The possible results for an object. `kept`: the stored object differs and is not overwritten, or an admin deleted the
 * object and it is not created again.
 */
export const outcomes = ['added', 'updated', 'unchanged', 'kept', 'refused'] as const
export type Outcome = (typeof outcomes)[number]

/** A note about one object of the export. `id`: its name in the export, `null` if it has none. */
export type PlacedNote = Note & {
  readonly of: ImportedKind
  readonly place: string
  readonly id: string | null
}

/** The action of an import in the audit log. */
const importAction = 'configuration.import'

/** The state of a plan, filled while the objects of an export are read. */
export type Planning = {
  readonly ports: ImportPorts
  /** Whether to overwrite later changes by admins, including deletions, and objects that existed before. */
  readonly replaces: boolean
  readonly deleted: ReadonlySet<string>
  readonly counts: Readonly<Record<ImportedKind, Record<Outcome, number>>>
  readonly notes: PlacedNote[]
  /** The user names by place in the export: more readable in the report than the IDs. */
  readonly usernames: Map<string, string>
  readonly expected: Expected[]
  readonly audit: AuditEntry[]
  readonly seen: Set<string>
}

export async function beginPlanning(ports: ImportPorts, replaces: boolean): Promise<Planning> {
  const none = () => ({ added: 0, updated: 0, unchanged: 0, kept: 0, refused: 0 })
  const counts = {
    scope: none(),
    client: none(),
    user: none(),
    consent: none(),
    login: none(),
    token: none(),
  }
  const deleted = await deletedThings(ports)
  const found = { notes: [], usernames: new Map(), expected: [], audit: [], seen: new Set<string>() }
  return { ports, replaces, deleted, counts, ...found }
}

/** An object of the export. `id`: as written in the export. */
export type Candidate = Pick<PlacedNote, 'of' | 'place' | 'id'> & {
  readonly notes: readonly Note[]
  /** Returns the errors that the dashboard would report. Called only if the object is not refused already. */
  readonly errors: () => Promise<readonly FieldError[]>
}

/** Adds the notes of an object. Returns false if the whole object is refused. */
export async function isAccepted(
  { counts, notes, seen }: Planning,
  { of, place, id, notes: given, errors }: Candidate,
): Promise<boolean> {
  const key = `${of} ${id}`
  const repeated = { kind: 'refused', field: '', text: 'is in the export more than once' } as const
  const read = [
    ...given.filter(({ kind }) => kind === 'refused'),
    ...(id !== null && seen.has(key) ? [repeated] : []),
  ]
  seen.add(key)
  const refusals = read.length > 0 ? read : (await errors()).map(refusalOf)
  const found =
    refusals.length > 0 ? [...given.filter(({ kind }) => kind === 'left_out'), ...refusals] : given
  notes.push(...found.map(note => ({ ...note, of, place, id })))
  if (refusals.length > 0) counts[of].refused += 1
  return refusals.length === 0
}

function refusalOf({ path: field, message }: FieldError): Note {
  return {
    kind: 'refused',
    field: field.replace(/^metadata\./, ''),
    text: `${message.slice(0, 1).toLowerCase()}${message.slice(1)}`.replace(/\.$/, ''),
  }
}

/** An object of the export as a row, and the stored row with which it is compared. */
type Proposed<T extends ResourceTypes> = {
  readonly of: ImportedKind
  readonly place: string
  readonly row: T['row']
  readonly stored: StoredRow<T> | null
  readonly isSame: (stored: T['row']) => boolean
  /** The row that this server has from the beginning, such as a standard scope; `null`: it has none. */
  readonly original: T['row'] | null
}

/** Counts the row and, if it is to be written, adds its audit row. */
export async function decide<T extends ResourceTypes>(
  planning: Planning,
  resource: Resource<T>,
  proposed: Proposed<T>,
): Promise<Outcome> {
  const { counts, notes, expected, audit } = planning
  const { of, place, row, stored } = proposed
  const id = resource.idOf(row)
  const note = await reasonToKeep(planning, resource, proposed)
  const outcome = outcomeOf(proposed, note)
  counts[of][outcome] += 1
  if (outcome === 'kept') notes.push({ kind: 'changed', field: '', text: note ?? '', of, place, id })
  if (outcome !== 'added' && outcome !== 'updated') return outcome
  const version = stored?.version ?? 0
  expected.push({ kind: resource.kind, id, version })
  audit.push(auditedWrite(resource, { row, before: stored, version }, { entry }).audit)
  return outcome
}

export function isWritten(outcome: Outcome): boolean {
  return outcome === 'added' || outcome === 'updated'
}

function outcomeOf<T extends ResourceTypes>({ stored, isSame }: Proposed<T>, note: string | null): Outcome {
  if (stored !== null && isSame(stored)) return 'unchanged'
  if (note !== null) return 'kept'
  return stored === null ? 'added' : 'updated'
}

/**
 * Returns why a row must not be written; `null` if it may. An admin has changed the stored row if its last row in the
 * audit log is not from an import, or contains different values. Without a row in the audit log, the stored row must
 * equal `original`.
 */
async function reasonToKeep<T extends ResourceTypes>(
  { ports, replaces, deleted }: Planning,
  resource: Resource<T>,
  { row, stored, isSame, original }: Proposed<T>,
): Promise<string | null> {
  const id = resource.idOf(row)
  if (replaces || (stored !== null && isSame(stored))) return null
  if (stored === null)
    return deleted.has(`${resource.kind} ${id}`) ? 'was deleted here, and stays deleted' : null
  const present = canonicalJson(resource.audited(stored, null))
  const [last] = await ports.adminStore.audit.list({ targetKind: resource.kind, targetId: id }, null, 1)
  const earlier = last === undefined ? original && resource.audited(original, null) : last.after
  const isOurs = last === undefined || last.action === importAction
  return isOurs && canonicalJson(withoutPassword(earlier)) === present
    ? null
    : 'is different here and stays as it is'
}

/** Removes the note about a new password, which an audit row adds to the document of a user. */
function withoutPassword(document: JsonValue | null): JsonValue | null {
  if (!isRecord(document)) return document
  const { password, ...others } = document
  return others as JsonValue
}

/** Loads the kinds and IDs of the scopes, clients and users that were deleted here, such as `user 42`. */
async function deletedThings({ adminStore }: ImportPorts): Promise<ReadonlySet<string>> {
  const found = new Set<string>()
  for (const action of ['scopes.delete', 'clients.delete', ...userDeletions]) {
    let before: number | null = null
    do {
      const rows: readonly AuditRow[] = await adminStore.audit.list({ action }, before, pageOfDeleted)
      for (const { targetKind, targetId } of rows) found.add(`${targetKind} ${targetId}`)
      before = rows.length < pageOfDeleted ? null : (rows.at(-1)?.seq ?? null)
    } while (before !== null)
  }
  return found
}

const pageOfDeleted = 1000

/** Makes the audit row of one object. The actor is the operator, on the command line. */
export function entry(target: {
  readonly kind: AuditEntry['targetKind']
  readonly id: string
  readonly before: JsonValue | null
  readonly after: JsonValue | null
}): AuditEntry {
  const { kind: targetKind, id: targetId, before, after } = target
  const operator = { actor: null, actorRole: null, requestId: 'command_line', address: null }
  return { action: importAction, targetKind, targetId, before, after, ...operator }
}
