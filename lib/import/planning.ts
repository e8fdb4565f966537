/** What every kind of object has in common when an import is planned: it is compared with what is stored, counted and noted. */
import type { AdminPorts } from '#lib/admin/admin-ports.ts'
import type { FieldError } from '#lib/admin/admin-result.ts'
import { canonicalJson } from '#lib/admin/configuration/compare-documents.ts'
import { auditedWrite, type Resource, type ResourceTypes } from '#lib/admin/resource/resource.ts'
import type { AuditEntry, Expected } from '#lib/ports/admin-store.ts'
import type { JsonValue } from '#lib/protocol/claims.ts'
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
>

export const importedKinds = ['scope', 'client'] as const
export type ImportedKind = (typeof importedKinds)[number]

/** `kept`: it is different here and stays so. */
export const outcomes = ['added', 'updated', 'unchanged', 'kept', 'refused'] as const
export type Outcome = (typeof outcomes)[number]

/** A note about one object of the export. `id`: its name there, `null` if it has none. */
export type PlacedNote = Note & {
  readonly of: ImportedKind
  readonly place: string
  readonly id: string | null
}

/** The action of an import in the audit trail. */
export const importAction = 'configuration.import'

/** Filled while the objects of an export are read. */
export type Planning = {
  readonly ports: ImportPorts
  /** Also what an admin changed since the last import, or what was here before. */
  readonly replaces: boolean
  readonly counts: Readonly<Record<ImportedKind, Record<Outcome, number>>>
  readonly notes: PlacedNote[]
  readonly expected: Expected[]
  readonly audit: AuditEntry[]
  readonly seen: Set<string>
}

export function beginPlanning(ports: ImportPorts, replaces: boolean): Planning {
  const none = () => ({ added: 0, updated: 0, unchanged: 0, kept: 0, refused: 0 })
  const counts = { client: none(), scope: none() }
  return { ports, replaces, counts, notes: [], expected: [], audit: [], seen: new Set() }
}

/** An object of the export. `id`: as it is written there. */
export type Candidate = {
  readonly of: ImportedKind
  readonly place: string
  readonly id: string | null
  readonly notes: readonly Note[]
  /** What the dashboard would refuse. Asked only if the object could be read. */
  readonly errors: () => Promise<readonly FieldError[]>
}

/** Notes what there is to say about an object; false if it is refused as a whole. */
export async function isAccepted(
  { counts, notes, seen }: Planning,
  { of, place, id, notes: given, errors }: Candidate,
): Promise<boolean> {
  const key = `${of} ${id}`
  const repeated = { kind: 'refused', field: '', text: 'is in the export more than once' } as const
  const read = [...given.filter(isRefusal), ...(id !== null && seen.has(key) ? [repeated] : [])]
  seen.add(key)
  const refusals = read.length > 0 ? read : (await errors()).map(refusalOf)
  const found = refusals.length > 0 ? [...given.filter(isLeftOut), ...refusals] : given
  notes.push(...found.map(note => ({ ...note, of, place, id })))
  if (refusals.length > 0) counts[of].refused += 1
  return refusals.length === 0
}

function isRefusal({ kind }: Note): boolean {
  return kind === 'refused'
}

function isLeftOut({ kind }: Note): boolean {
  return kind === 'left_out'
}

function refusalOf({ path: field, message }: FieldError): Note {
  return { kind: 'refused', field, text: message.replace(/\.$/, '') }
}

/** A row to store, and how to recognize the stored one. */
type Proposed<T extends ResourceTypes> = {
  readonly of: ImportedKind
  readonly place: string
  readonly row: T['row']
  readonly isSame: (stored: T['row']) => boolean
  /** As it is from the beginning, before anyone changed it; `null`: there is none. */
  readonly original: T['row'] | null
}

/** Whether the row is to be written; then with its audit row. */
export async function isToBeWritten<T extends ResourceTypes>(
  planning: Planning,
  resource: Resource<T>,
  { of, place, row, isSame, original }: Proposed<T>,
): Promise<boolean> {
  const { ports, counts, notes, expected, audit } = planning
  const id = resource.idOf(row)
  const stored = await resource.find(ports, id)
  const outcome =
    stored === null ? 'added' : await outcomeOf(planning, resource, { stored, isSame, original })
  counts[of][outcome] += 1
  if (outcome === 'kept')
    notes.push({ kind: 'changed', field: '', text: 'is different here and stays as it is', of, place, id })
  if (outcome !== 'added' && outcome !== 'updated') return false
  const version = stored?.version ?? 0
  expected.push(expectedOf(resource, row, version))
  audit.push(auditedWrite(resource, { row, before: stored, version }, { entry }).audit)
  return true
}

type Comparison<T extends ResourceTypes> = Pick<Proposed<T>, 'isSame' | 'original'> & {
  readonly stored: T['row']
}

/** The audit trail remembers what was imported: what is as the last import wrote it was changed by no admin since. */
async function outcomeOf<T extends ResourceTypes>(
  { ports, replaces }: Planning,
  resource: Resource<T>,
  { stored, isSame, original }: Comparison<T>,
): Promise<Outcome> {
  if (isSame(stored)) return 'unchanged'
  if (replaces) return 'updated'
  const present = canonicalJson(resource.audited(stored, null))
  const filter = { targetKind: resource.kind, targetId: resource.idOf(stored) }
  const [last] = await ports.adminStore.audit.list(filter, null, 1)
  if (last === undefined)
    return original !== null && isSameRow(resource, original, present) ? 'updated' : 'kept'
  return last.action === importAction && canonicalJson(last.after) === present ? 'updated' : 'kept'
}

function isSameRow<T extends ResourceTypes>(resource: Resource<T>, row: T['row'], present: string): boolean {
  return canonicalJson(resource.audited(row, null)) === present
}

function expectedOf<T extends ResourceTypes>(
  resource: Resource<T>,
  row: T['row'],
  version: number,
): Expected {
  const write = resource.put(row, version)
  if (write.kind !== 'put') throw new TypeError('A resource is stored by a put.')
  return { kind: resource.kind, id: resource.idOf(row) as Expected['id'], version }
}

/** The audit row of one object. The operator did it, from the command line. */
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
