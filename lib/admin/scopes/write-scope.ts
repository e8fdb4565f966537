/** Creating a scope, replacing its document, and switching it off and on. */
import { z } from 'zod'
import type { JsonValue } from '#lib/protocol/claims.ts'
import { scopeNameSchema } from '#lib/protocol/ids.ts'
import { jsonValueSchema } from '#lib/protocol/json-value.ts'
import { standardScope } from '#lib/protocol/standard-scopes.ts'
import type { AdminPorts } from '../admin-ports.ts'
import { type AdminResult, notFound, ok } from '../admin-result.ts'
import { errorAt } from '../field-errors.ts'
import { reservedScope } from '../reserved-names.ts'
import { commit, type Deed, defineUseCase } from '../use-case.ts'
import { changeScope } from './change-scope.ts'
import {
  checkedScope,
  type ScopeDocument,
  type ScopeView,
  scopeView,
  scopeViewSchema,
} from './scope-document.ts'
import { scopeFromForm } from './scope-form.ts'

const documentSchema = z.record(z.string(), jsonValueSchema)

export const createScope = defineUseCase({
  name: 'scopes.create',
  permission: 'scopes:create',
  summary: 'Creates a scope.',
  done: 'Scope created. Allow it to the clients that need it.',
  input: z.object({ metadata: documentSchema }),
  output: scopeViewSchema,
  fromForm: fields => ({ metadata: scopeFromForm(fields) }),
  api: { method: 'POST', path: '/scopes', status: 201 },
  run: (ports, { metadata }, deed) => addScope(ports, metadata, deed),
})

/** Stores a new scope with its audit row. */
export async function addScope(
  ports: AdminPorts,
  metadata: ScopeDocument,
  { now, entry }: Deed,
): Promise<AdminResult<ScopeView>> {
  const checked = checkedScope(metadata, errorAt('name', await nameProblem(ports, metadata.name)))
  if (checked.kind !== 'ok') return checked
  const { name } = checked.value
  const change = {
    writes: [
      {
        kind: 'configuration',
        changes: { put: { scopes: [{ name, metadata, secrets: [] }] }, remove: {} },
      },
    ],
    expected: [{ kind: 'scope', id: name, version: 0 }],
    audit: [entry({ kind: 'scope', id: name, before: null, after: metadata })],
  } as const
  const result = await commit(ports, change, { now, value: null })
  if (result.kind !== 'ok') return result
  const created = await ports.adminLists.scope(name)
  return created === null ? notFound : ok(scopeView(created))
}

async function nameProblem(
  { scopes }: Pick<AdminPorts, 'scopes'>,
  wanted: JsonValue | undefined,
): Promise<string | null> {
  const name = scopeNameSchema.safeParse(wanted)
  if (!name.success) return null
  if (standardScope(name.data) !== null)
    return `"${name.data}" is the name of a standard scope, which is there already: change that one, or choose another name.`
  const reserved = reservedScope(name.data)
  if (reserved !== null) return reserved
  return (await scopes.find(name.data)) === null ? null : `There is a scope "${name.data}" already.`
}

export const updateScope = defineUseCase({
  name: 'scopes.update',
  permission: 'scopes:update',
  summary: 'Replaces the registration document of a scope.',
  done: 'Scope saved. Requests that are under way see it at once.',
  input: z.object({
    name: scopeNameSchema,
    version: z.coerce.number().int(),
    metadata: documentSchema,
  }),
  output: scopeViewSchema,
  fromForm: ({ name, version, ...fields }) => ({
    name: name?.at(-1),
    version: version?.at(-1),
    metadata: scopeFromForm(fields),
  }),
  api: { method: 'PUT', path: '/scopes/{name}' },
  run: (ports, { name, version, metadata }, deed) =>
    changeScope(ports, { name, version, plan: ({ secrets }) => ok({ document: metadata, secrets }) }, deed),
})

export const setScopeEnabled = defineUseCase({
  name: 'scopes.set_enabled',
  permission: 'scopes:update',
  summary: 'Enables or disables a scope. A disabled one is as good as unknown to clients.',
  done: 'Scope saved.',
  input: z.object({
    name: scopeNameSchema,
    version: z.coerce.number().int().optional(),
    enabled: z.stringbool().or(z.boolean()),
  }),
  output: scopeViewSchema,
  api: { method: 'POST', path: '/scopes/{name}/enabled' },
  run: (ports, { name, version = null, enabled }, deed) =>
    changeScope(
      ports,
      { name, version, plan: ({ document, secrets }) => ok({ document: { ...document, enabled }, secrets }) },
      deed,
    ),
})
