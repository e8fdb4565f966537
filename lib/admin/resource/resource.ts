/**
 * The kinds of objects that the dashboard manages: clients, scopes, identity providers and users. Each is described once; shared
 * code creates, reads and changes them, and `resource-use-cases.ts` and `secret-use-cases.ts` define use cases that they share.
 */
import { z } from 'zod'
import type { Versioned } from '#lib/ports/admin-lists.ts'
import type { AuditEntry, Change, ConfigurationWrite, Expected } from '#lib/ports/admin-store.ts'
import type { NewDelivery } from '#lib/ports/outbox.ts'
import type { JsonValue } from '#lib/protocol/claims.ts'
import type { AdminPorts } from '../admin-ports.ts'
import { type AdminResult, notFound, ok } from '../admin-result.ts'
import { canonicalJson } from '../configuration/compare-documents.ts'
import { type AdminCall, commit, defineUseCase, type UseCase } from '../use-case.ts'

/**
 * The types of one resource: `row` is written, `extra` is read with it, and `field` is the name of the ID in inputs and in the
 * API.
 */
export type ResourceTypes = {
  readonly field: string
  readonly id: Expected['id']
  readonly row: object
  readonly extra: object
  readonly view: object
}

export type StoredRow<T extends ResourceTypes> = Versioned<T['row'] & T['extra']>

/** A row to write. `before` is the row that it replaces; `null` for a new one. */
type ProposedRow<T extends ResourceTypes> = {
  readonly row: T['row']
  readonly before: T['row'] | null
}

/** A row to write, with the version that it replaces; 0 for a new row. */
type VersionedProposal<T extends ResourceTypes> = ProposedRow<T> & { readonly version: number }

export type Resource<T extends ResourceTypes> = {
  readonly kind: 'client' | 'scope' | 'provider' | 'user'
  /** The first part of the names of use cases and permissions, and of paths in the API. */
  readonly area: 'clients' | 'scopes' | 'providers' | 'users'
  readonly idField: T['field']
  readonly idSchema: z.ZodType<string>
  /** Parses an ID that `idSchema` accepted. */
  readonly readId: (given: unknown) => T['id']
  readonly idOf: (row: T['row']) => T['id']
  readonly find: (ports: Pick<AdminPorts, 'adminLists'>, id: T['id']) => Promise<StoredRow<T> | null>
  /** The stored object in the format of the API. */
  readonly view: (ports: Pick<AdminPorts, 'settings'>, stored: StoredRow<T>) => T['view']
  readonly viewSchema: z.ZodType<T['view']>
  /** The row in the format of the audit log, without secrets. */
  readonly audited: (row: T['row'], before: T['row'] | null) => JsonValue
  /** The row of a deleted object, if the audit log keeps less of it. */
  readonly auditedAtDeletion?: (row: T['row']) => JsonValue
  /** The current state with its version, which the conflict page compares with the form. */
  readonly current: (stored: StoredRow<T>) => JsonValue
  /** Refuses an admin who may not change or delete the object; otherwise `null`. */
  readonly refusal?: (ports: AdminPorts, row: T['row'], call: AdminCall) => Promise<AdminResult<never> | null>
  /** Returns the row to store, or errors in it. */
  readonly check: (
    ports: AdminPorts,
    proposed: ProposedRow<T>,
    call: AdminCall,
  ) => Promise<AdminResult<T['row']>>
  /** The write that stores a row. Fields that the store has no column for are ignored. */
  readonly put: (row: T['row'], expectedVersion: number) => ConfigurationWrite
  readonly remove: (id: T['id'], expectedVersion: number) => ConfigurationWrite
  readonly withEnabled: (row: T['row'], isEnabled: boolean) => T['row']
}

export type IdInput<T extends ResourceTypes> = Readonly<Record<T['field'], string>>

/** The schema of the ID in the input of a use case. */
export function idShape<T extends ResourceTypes>({
  idField,
  idSchema,
}: Resource<T>): Readonly<Record<string, z.ZodType<string>>> {
  return { [idField]: idSchema }
}

/** The ID in an input that was validated. */
export function idIn<T extends ResourceTypes>(
  { idField, readId }: Resource<T>,
  input: Readonly<Record<string, unknown>>,
): T['id'] {
  return readId(input[idField])
}

export const versionSchema = z.coerce.number().int()
type Reading<T extends ResourceTypes, O> = {
  readonly summary: string
  readonly output: z.ZodType<O>
  readonly answer: (ports: AdminPorts, stored: StoredRow<T>) => Promise<O> | O
}

/** Defines the use case that reads one object. */
export function readUseCase<T extends ResourceTypes, O>(
  resource: Resource<T>,
  { summary, output, answer }: Reading<T, O>,
): UseCase<IdInput<T>, O> {
  const { area, idField } = resource
  return defineUseCase({
    name: `${area}.read`,
    permission: `${area}:read`,
    summary,
    input: z.object(idShape(resource)),
    output,
    api: { method: 'GET', path: `/${area}/{${idField}}` },
    run: async (ports, input) => {
      const stored = await resource.find(ports, idIn(resource, input))
      return stored === null ? notFound : ok(await answer(ports, stored))
    },
  })
}

/** Makes a function that reports whether an object with this ID exists. The ID need not be valid. */
export function existsIn<T extends ResourceTypes>({ idSchema, readId, find }: Resource<T>) {
  return async (ports: Pick<AdminPorts, 'adminLists'>, id: string): Promise<boolean> =>
    idSchema.safeParse(id).success && (await find(ports, readId(id))) !== null
}

/** One write and the audit row that records it. */
export type ChangePart = { readonly write: ConfigurationWrite; readonly audit: AuditEntry }

/** The write that creates a row or replaces `before`, with its audit row. */
export function auditedWrite<T extends ResourceTypes>(
  resource: Resource<T>,
  { row, before, version }: VersionedProposal<T>,
  { entry }: Pick<AdminCall, 'entry'>,
): ChangePart {
  const { kind, idOf, audited, put } = resource
  const stored = before === null ? null : audited(before, null)
  return {
    write: put(row, version),
    audit: entry({ kind, id: idOf(row), before: stored, after: audited(row, before) }),
  }
}

/** Combines parts into the change that `commit` takes. */
export function toChange(parts: readonly ChangePart[]): Change {
  return { writes: parts.map(({ write }) => write), audit: parts.map(({ audit }) => audit) }
}

type RowChange<T extends ResourceTypes> = {
  readonly id: T['id']
  /** The version that the admin saw; `null` changes any version. */
  readonly version: number | null
  readonly alter: (stored: StoredRow<T>) => Promise<AdminResult<T['row']>> | AdminResult<T['row']>
  /** Messages about the change, stored with it. */
  readonly notices?: readonly NewDelivery[]
}

/** Changes a stored object: reads, alters, checks and writes it with its audit row. Returns the changed object. */
export async function updateRow<T extends ResourceTypes>(
  resource: Resource<T>,
  ports: AdminPorts,
  { id, version, alter, notices = [] }: RowChange<T>,
  call: AdminCall,
): Promise<AdminResult<T['view']>> {
  const stored = await resource.find(ports, id)
  if (stored === null) return notFound
  const refusal = (await resource.refusal?.(ports, stored, call)) ?? null
  if (refusal !== null) return refusal
  const altered = await alter(stored)
  if (altered.kind !== 'ok') return altered
  return storeRow(
    resource,
    ports,
    { row: altered.value, before: stored, version: version ?? stored.version, notices },
    call,
  )
}

/** Stores a new object with its audit row. Reports a conflict if the ID is taken. */
export function createRow<T extends ResourceTypes>(
  resource: Resource<T>,
  ports: AdminPorts,
  row: T['row'],
  call: AdminCall,
): Promise<AdminResult<T['view']>> {
  return storeRow(resource, ports, { row, before: null, version: 0 }, call)
}

async function storeRow<T extends ResourceTypes>(
  resource: Resource<T>,
  ports: AdminPorts,
  { notices = [], ...proposed }: VersionedProposal<T> & Pick<RowChange<T>, 'notices'>,
  call: AdminCall,
): Promise<AdminResult<T['view']>> {
  const checked = await resource.check(ports, proposed, call)
  if (checked.kind !== 'ok') return checked
  const row = checked.value
  const find = () => resource.find(ports, resource.idOf(row))
  const current = async () => {
    const stored = await find()
    return stored === null ? null : resource.current(stored)
  }
  const { writes, audit } = toChange([auditedWrite(resource, { ...proposed, row }, call)])
  const messages = notices.length === 0 ? [] : [{ kind: 'deliver', deliveries: notices } as const]
  const change = { writes: [...writes, ...messages], audit }
  const result = await commit(ports, change, { now: call.now, value: null, current })
  if (result.kind !== 'ok') return result
  const stored = await find()
  return stored === null ? notFound : ok(resource.view(ports, stored))
}

type Document = Readonly<Record<string, JsonValue>>

/**
 * The document after a change. `given` replaces the fields that it contains; a field in `fields` that it does not contain gets
 * its default. Other fields stay as stored, so that a form cannot reset a field that it does not have. Without `fields`, `given`
 * is the whole document.
 */
export function changedDocument(stored: Document, { given, fields, schema }: ChangedFields): Document {
  if (fields === undefined) return given
  const kept = Object.entries(stored).filter(([name]) => !fields.includes(name) || name in given)
  return withoutNewDefaults(stored, { ...Object.fromEntries(kept), ...given }, schema)
}

type ChangedFields = {
  readonly given: Document
  readonly fields: readonly string[] | undefined
  /** The schema that adds the defaults to a document. */
  readonly schema: z.ZodType<object>
}

/**
 * Removes new fields that are equal to their default. A form shows and sends defaults of fields that are not stored; the admin
 * did not set them.
 */
function withoutNewDefaults(stored: Document, changed: Document, schema: z.ZodType<object>): Document {
  const [kept, added] = [true, false].map(isStored =>
    Object.entries(changed).filter(([name]) => name in stored === isStored),
  )
  const { data } = schema.safeParse(Object.fromEntries(kept ?? []))
  if (data === undefined) return changed
  const defaults = new Map<string, unknown>(Object.entries(data))
  const set = added?.filter(([name, value]) => canonicalJson(defaults.get(name)) !== canonicalJson(value))
  return Object.fromEntries([...(kept ?? []), ...(set ?? [])])
}

export const fieldsSchema = z
  .array(z.string().max(100))
  .max(100)
  .optional()
  .describe(
    'Replaces these fields and those of `metadata`, and keeps the others. One that `metadata` does not have gets its default. Left out: replaces all fields.',
  )
