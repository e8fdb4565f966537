/**
 * What the dashboard manages: clients, scopes, identity providers and users. Each is described once, and read, changed,
 * deleted and restored by the same code. `resource-use-cases.ts` and `secret-use-cases.ts` make its use cases.
 */
import type { z } from 'zod'
import type { Versioned } from '#lib/ports/admin-lists.ts'
import type { AuditEntry, Change, ConfigurationWrite } from '#lib/ports/admin-store.ts'
import type { JsonValue } from '#lib/protocol/claims.ts'
import type { AdminPorts } from '../admin-ports.ts'
import { type AdminResult, notFound, ok } from '../admin-result.ts'
import { commit } from '../run-use-case.ts'
import type { AdminCall } from '../use-case.ts'

/** `row` is what is written, `extra` what is read with it, `field` the name of the id in inputs and in the API. */
export type ResourceTypes = {
  readonly field: string
  readonly id: string
  readonly row: object
  readonly extra: object
  readonly view: object
}

export type StoredRow<T extends ResourceTypes> = Versioned<T['row'] & T['extra']>

/** A row to write; `before`: what it replaces, `null` for a new one. */
export type WantedRow<T extends ResourceTypes> = {
  readonly row: T['row']
  readonly before: T['row'] | null
}

export type Resource<T extends ResourceTypes> = {
  readonly kind: 'client' | 'scope' | 'provider' | 'user'
  /** The first part of the names of its use cases and permissions, and of its paths in the API. */
  readonly area: 'clients' | 'scopes' | 'providers' | 'users'
  readonly idField: T['field']
  readonly idSchema: z.ZodType<string>
  /** An id that `idSchema` accepted. */
  readonly readId: (given: unknown) => T['id']
  readonly idOf: (row: T['row']) => T['id']
  readonly find: (ports: Pick<AdminPorts, 'adminLists'>, id: T['id']) => Promise<StoredRow<T> | null>
  /** As the API answers it. */
  readonly view: (ports: Pick<AdminPorts, 'settings'>, stored: StoredRow<T>) => T['view']
  readonly viewSchema: z.ZodType<T['view']>
  /** As the audit trail keeps it, without secrets. */
  readonly audited: (row: T['row'], before: T['row'] | null) => JsonValue
  /** Likewise of one that is deleted, where the trail keeps less. */
  readonly auditedAtDeletion?: (row: T['row']) => JsonValue
  /** As the conflict page compares it with what was typed, with its version. */
  readonly current: (stored: StoredRow<T>) => JsonValue
  /** Why this admin may not change or delete it; `null` when they may. */
  readonly refusal?: (ports: AdminPorts, row: T['row'], call: AdminCall) => Promise<AdminResult<never> | null>
  /** The row to store, or everything that is wrong with it. */
  readonly check: (ports: AdminPorts, wanted: WantedRow<T>, call: AdminCall) => Promise<AdminResult<T['row']>>
  readonly put: (row: T['row'], expectedVersion: number) => ConfigurationWrite
  readonly remove: (id: T['id'], expectedVersion: number) => ConfigurationWrite
  readonly withEnabled: (row: T['row'], isEnabled: boolean) => T['row']
}

/** One write and the audit row that records it. */
export type ChangePart = { readonly write: ConfigurationWrite; readonly audit: AuditEntry }

/** Replaces `before`, or creates it. `version`: the one the admin saw. */
export function putPart<T extends ResourceTypes>(
  resource: Resource<T>,
  { row, before, version }: WantedRow<T> & { readonly version: number },
  { entry }: Pick<AdminCall, 'entry'>,
): ChangePart {
  const { kind, idOf, audited, put } = resource
  const stored = before === null ? null : audited(before, null)
  return {
    write: put(row, version),
    audit: entry({ kind, id: idOf(row), before: stored, after: audited(row, before) }),
  }
}

/** What `commit` takes. */
export function changeOf(parts: readonly ChangePart[]): Change {
  return { writes: parts.map(({ write }) => write), audit: parts.map(({ audit }) => audit) }
}

export type RowChange<T extends ResourceTypes> = {
  readonly id: T['id']
  /** The version the admin saw; `null` changes the current one, for changes that contradict nothing. */
  readonly version: number | null
  readonly alter: (stored: StoredRow<T>) => Promise<AdminResult<T['row']>> | AdminResult<T['row']>
}

/** The one way a stored row changes: read, alter, check, and write it with its audit row. Answers with the changed one. */
export async function changeRow<T extends ResourceTypes>(
  resource: Resource<T>,
  ports: AdminPorts,
  { id, version, alter }: RowChange<T>,
  call: AdminCall,
): Promise<AdminResult<T['view']>> {
  const stored = await resource.find(ports, id)
  if (stored === null) return notFound
  const refusal = (await resource.refusal?.(ports, stored, call)) ?? null
  if (refusal !== null) return refusal
  const altered = await alter(stored)
  if (altered.kind !== 'ok') return altered
  return putRow(
    resource,
    ports,
    { row: altered.value, before: stored, version: version ?? stored.version },
    call,
  )
}

/** Stores a new row with its audit row. A conflict: there is one of that id. */
export function createRow<T extends ResourceTypes>(
  resource: Resource<T>,
  ports: AdminPorts,
  row: T['row'],
  call: AdminCall,
): Promise<AdminResult<T['view']>> {
  return putRow(resource, ports, { row, before: null, version: 0 }, call)
}

async function putRow<T extends ResourceTypes>(
  resource: Resource<T>,
  ports: AdminPorts,
  wanted: WantedRow<T> & { readonly version: number },
  call: AdminCall,
): Promise<AdminResult<T['view']>> {
  const checked = await resource.check(ports, wanted, call)
  if (checked.kind !== 'ok') return checked
  const row = checked.value
  const find = () => resource.find(ports, resource.idOf(row))
  const current = async () => {
    const stored = await find()
    return stored === null ? null : resource.current(stored)
  }
  const change = changeOf([putPart(resource, { ...wanted, row }, call)])
  const result = await commit(ports, change, { now: call.now, value: null, current })
  if (result.kind !== 'ok') return result
  const stored = await find()
  return stored === null ? notFound : ok(resource.view(ports, stored))
}
