/** Creating a scope and replacing its document. */
import { z } from 'zod'
import type { JsonValue } from '#lib/protocol/claims.ts'
import { jsonValueSchema } from '#lib/protocol/claims.ts'
import { scopeNameSchema } from '#lib/protocol/ids.ts'
import { standardScope } from '#lib/protocol/registration/scope.ts'
import type { AdminPorts } from '../admin-ports.ts'
import { ok } from '../admin-result.ts'
import { errorFor } from '../field-errors.ts'
import { reservedScope } from '../reserved-names.ts'
import { changedDocument, fieldsSchema } from '../resource/document-fields.ts'
import { changeRow, createRow } from '../resource/resource.ts'
import { versionSchema } from '../resource/resource-use-cases.ts'
import { defineUseCase } from '../use-case.ts'
import { scopeFieldsIn, scopeFromForm } from './scope-form.ts'
import { checkedScope, type StoredScope, scopeDocument, scopes, scopeViewSchema } from './scope-resource.ts'

const documentSchema = z.record(z.string(), jsonValueSchema)

export const createScope = defineUseCase({
  name: 'scopes.create',
  permission: 'scopes:create',
  summary: 'Creates a scope.',
  done: 'Scope created. Add it to the scopes of the clients that need it.',
  input: z.object({ metadata: documentSchema }),
  output: scopeViewSchema,
  fromForm: fields => ({ metadata: scopeFromForm(fields) }),
  api: { method: 'POST', path: '/scopes', status: 201 },
  run: async (ports, { metadata }, call) => {
    const checked = checkedScope(metadata, errorFor('name', await nameProblem(ports, metadata.name)))
    if (checked.kind !== 'ok') return checked
    return createRow(scopes, ports, { name: checked.value.name, metadata, secrets: [] }, call)
  },
})

async function nameProblem(
  ports: Pick<AdminPorts, 'scopes'>,
  wanted: JsonValue | undefined,
): Promise<string | null> {
  const name = scopeNameSchema.safeParse(wanted)
  if (!name.success) return null
  if (standardScope(name.data) !== null)
    return `"${name.data}" is the name of a standard scope, which is there already: change that one, or choose another name.`
  const reserved = reservedScope(name.data)
  if (reserved !== null) return reserved
  return (await ports.scopes.find(name.data)) === null ? null : `There is a scope "${name.data}" already.`
}

export const updateScope = defineUseCase({
  name: 'scopes.update',
  permission: 'scopes:update',
  summary: 'Replaces the registration document of a scope, or the fields of it that `fields` names.',
  done: 'Scope saved. The change also applies to requests in progress.',
  input: z.object({
    name: scopeNameSchema,
    version: versionSchema,
    metadata: documentSchema,
    fields: fieldsSchema,
  }),
  output: scopeViewSchema,
  fromForm: ({ name, version, ...fields }) => ({
    name: name?.at(-1),
    version: version?.at(-1),
    metadata: scopeFromForm(fields),
    fields: scopeFieldsIn(fields),
  }),
  api: { method: 'PUT', path: '/scopes/{name}' },
  run: (ports, { name, version, metadata, fields }, call) => {
    const alter = (stored: StoredScope) =>
      ok({ ...stored, metadata: changedDocument(scopeDocument(stored), metadata, fields) })
    return changeRow(scopes, ports, { id: name, version, alter }, call)
  },
})
