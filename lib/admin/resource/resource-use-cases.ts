/** The use cases that all resources have alike; a text, a permission or a hook makes the difference. */
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
  /** Whether it takes the version that the admin saw; the API requires it then. */
  readonly isVersioned?: boolean
}

/** Enables or disables it. */
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
  /** The id typed once more must be in `confirm`, where something relies on it. */
  readonly isConfirmed?: boolean
  /** The other changes of the deletion and its result, or why it cannot be deleted. */
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

/** NOTE: the last part: what refers to it changes first. */
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
  /** Other fields of the form. */
  readonly input?: z.ZodRawShape
  /** The row to store for an earlier version. `stored`: `null` for one that was deleted. */
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

/** Restores what it was after an earlier change, also when it was deleted since. */
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
