/** Use cases that resources share: enable, delete and (except for users) restore. Each resource adds its texts and checks. */
import { z } from 'zod'
import type { AdminPorts } from '../admin-ports.ts'
import { type AdminResult, invalid, notFound, ok } from '../admin-result.ts'
import { findVersion, type Version } from '../configuration/history.ts'
import { type AdminCall, commit, defineUseCase, type UseCase } from '../use-case.ts'
import {
  type ChangePart,
  createRow,
  type IdInput,
  idIn,
  idShape,
  type Resource,
  type ResourceTypes,
  type StoredRow,
  toChange,
  updateRow,
  versionSchema,
} from './resource.ts'

export const enabledSchema = z.stringbool().or(z.boolean())

type Enabling = {
  readonly summary: string
  readonly done: string
  readonly isSensitive?: boolean
  /** Whether the input has the version that the admin saw. The API then requires it. */
  readonly isVersioned?: boolean
}

/** Defines the use case that enables or disables an object. */
export function setEnabledUseCase<T extends ResourceTypes>(
  resource: Resource<T>,
  { isVersioned = false, ...texts }: Enabling,
): UseCase<
  IdInput<T> & { readonly enabled: boolean | string; readonly version?: number | undefined },
  T['view']
> {
  const { area, idField, viewSchema, withEnabled } = resource
  return defineUseCase({
    ...texts,
    name: `${area}.set_enabled`,
    permission: `${area}:update`,
    input: z.object({
      ...idShape(resource),
      ...(isVersioned ? { version: versionSchema.optional() } : {}),
      enabled: enabledSchema,
    }),
    output: viewSchema,
    api: { method: 'POST', path: `/${area}/{${idField}}/enabled` },
    run: (ports, input, call) => {
      const version = typeof input.version === 'number' ? input.version : null
      const alter = (stored: StoredRow<T>) => ok(withEnabled(stored, input.enabled))
      return updateRow(resource, ports, { id: idIn(resource, input), version, alter }, call)
    },
  })
}

type Deletion<T extends ResourceTypes, O> = {
  readonly summary: string
  readonly done: string
  readonly isSensitive?: boolean
  readonly output: z.ZodType<O>
  /** Whether the input has `confirm`, in which the ID must be typed if `plan` finds that something depends on the object. */
  readonly isConfirmed?: boolean
  /** Plans the other writes and the result of a deletion, or refuses it. */
  readonly plan: (
    ports: AdminPorts,
    asked: { readonly stored: StoredRow<T>; readonly confirm: string },
    call: AdminCall,
  ) => Promise<AdminResult<{ readonly parts: readonly ChangePart[]; readonly value: O }>>
}

export function deleteUseCase<T extends ResourceTypes, O>(
  resource: Resource<T>,
  { plan, isConfirmed = false, ...texts }: Deletion<T, O>,
): UseCase<IdInput<T> & { readonly version: number; readonly confirm?: string }, O> {
  const { area, idField } = resource
  const confirm = isConfirmed ? { confirm: z.string().default('') } : {}
  return defineUseCase({
    ...texts,
    name: `${area}.delete`,
    permission: `${area}:delete`,
    input: z.object({ ...idShape(resource), version: versionSchema, ...confirm }),
    api: { method: 'DELETE', path: `/${area}/{${idField}}` },
    run: async (ports, input, call) => {
      const id = idIn(resource, input)
      const stored = await resource.find(ports, id)
      if (stored === null) return notFound
      const refusal = (await resource.refusal?.(ports, stored, call)) ?? null
      if (refusal !== null) return refusal
      const planned = await plan(ports, { stored, confirm: String(input.confirm ?? '') }, call)
      if (planned.kind !== 'ok') return planned
      const { parts, value } = planned.value
      const change = toChange([...parts, removalPart(resource, stored, input.version, call)])
      return commit(ports, change, { now: call.now, value })
    },
  })
}

/** Removes the object itself. NOTE: this part comes last, after the changes of objects that refer to it. */
function removalPart<T extends ResourceTypes>(
  { kind, idOf, audited, auditedAtDeletion, remove }: Resource<T>,
  stored: StoredRow<T>,
  version: number,
  { entry }: AdminCall,
): ChangePart {
  const id = idOf(stored)
  const before = auditedAtDeletion?.(stored) ?? audited(stored, null)
  return { write: remove(id, version), audit: entry({ kind, id, before, after: null }) }
}

type Restoring<T extends ResourceTypes> = {
  readonly kind: 'client' | 'scope' | 'provider'
  readonly permission: 'configuration:restore' | 'providers:update'
  readonly summary: string
  readonly isSensitive?: boolean
  /** Additional fields of the input. */
  readonly input?: z.ZodRawShape
  /** Makes the row to store from an earlier version. `stored` is `null` for a deleted object. */
  readonly rowOf: (
    ports: AdminPorts,
    version: Version,
    around: {
      readonly id: T['id']
      readonly stored: StoredRow<T> | null
      readonly input: Readonly<Record<string, unknown>>
    },
  ) => Promise<AdminResult<T['row']>> | AdminResult<T['row']>
}

/** Defines the use case that restores an earlier version of an object, or a deleted object. */
export function restoreUseCase<T extends ResourceTypes>(
  resource: Resource<T>,
  { kind, rowOf, input: more = {}, ...texts }: Restoring<T>,
): UseCase<
  IdInput<T> & { readonly version: number; readonly seq: number; readonly client_secret?: string },
  T['view']
> {
  const { area, idField, viewSchema } = resource
  return defineUseCase({
    ...texts,
    name: `${area}.restore`,
    done: 'Version restored.',
    input: z.object({
      ...idShape(resource),
      version: versionSchema.describe('0: it was deleted.'),
      seq: z.coerce.number().int().positive(),
      ...more,
    }),
    output: viewSchema,
    api: { method: 'POST', path: `/${area}/{${idField}}/restore` },
    run: async (ports, input, call) => {
      const { version, seq } = input
      const id = idIn(resource, input)
      const earlier = await findVersion(ports, { kind, id, seq })
      if (earlier === null) return invalid('seq', 'This change left no version that can be restored.')
      const restored = (stored: StoredRow<T> | null) => rowOf(ports, earlier, { id, stored, input })
      if (version !== 0) return updateRow(resource, ports, { id, version, alter: restored }, call)
      const row = await restored(null)
      if (row.kind !== 'ok') return row
      const refusal = (await resource.refusal?.(ports, row.value, call)) ?? null
      return refusal ?? createRow(resource, ports, row.value, call)
    },
  })
}
