/** Creates, changes, enables, disables, deletes and restores scopes, and manages their secrets. */
import { z } from 'zod'
import { adminList } from '#lib/config/limits.ts'
import type { NamedClient } from '#lib/ports/admin-lists.ts'
import { findRegistration } from '#lib/ports/clients.ts'
import { type JsonValue, jsonValueSchema } from '#lib/protocol/claims.ts'
import { type ScopeName, scopeNameSchema } from '#lib/protocol/ids.ts'
import { scopeMetadataSchema, standardScope } from '#lib/protocol/registration/scope.ts'
import { scopeWords } from '#lib/protocol/wire/scopes.ts'
import type { AdminPorts } from '../admin-ports.ts'
import { type AdminResult, denied, errorFor, invalid, ok } from '../admin-result.ts'
import { clients, ownersOnly, type StoredClient, storedDocument } from '../clients/client-resource.ts'
import { reservedScope } from '../configuration/document-problems.ts'
import {
  auditedWrite,
  type ChangePart,
  changedDocument,
  createRow,
  fieldsSchema,
  updateRow,
  versionSchema,
} from '../resource/resource.ts'
import { deleteUseCase, restoreUseCase, setEnabledUseCase } from '../resource/resource-use-cases.ts'
import { allOf, secretUseCases } from '../resource/secret-use-cases.ts'
import { type AdminCall, defineUseCase, type UseCase } from '../use-case.ts'
import { clientsUsing, listScopes, readScope } from './read-scopes.ts'
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
  given: JsonValue | undefined,
): Promise<string | null> {
  const name = scopeNameSchema.safeParse(given)
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
  run: (ports, { name, version, metadata: given, fields }, call) => {
    const alter = (stored: StoredScope) => {
      const before = { ...scopeDocument(stored), name }
      return ok({
        ...stored,
        metadata: changedDocument(before, { given, fields, schema: scopeMetadataSchema }),
      })
    }
    return updateRow(scopes, ports, { id: name, version, alter }, call)
  },
})

export const deleteScope = deleteUseCase(scopes, {
  summary:
    'Deletes a scope and removes it from the clients that may ask for it. In use, it must be confirmed.',
  done: 'Scope deleted.',
  output: z.object({ name: z.string(), clients: z.array(z.string()) }),
  isConfirmed: true,
  plan: async (ports, { stored: { name }, confirm }, call) => {
    if (standardScope(name) !== null)
      return denied(
        `The standard scope ${name} cannot be deleted${name === 'openid' ? '' : ', only disabled'}.`,
      )
    const { clients: used, isMore } = await clientsUsing(ports, name)
    if (isMore)
      return invalid('confirm', `More than ${adminList.namedUsers} clients use it. Disable it instead.`)
    if (used.length > 0 && confirm !== name) return invalid('confirm', usedBy(used))
    const parts: ChangePart[] = []
    for (const { clientId } of used) {
      const stored = await ports.adminLists.client(clientId)
      if (stored === null) continue
      const refusal = await ownersOnly(ports, stored, call)
      if (refusal !== null) return refusal
      parts.push(withoutScope(stored, name, call))
    }
    return ok({ parts, value: { name, clients: used.map(({ clientId }) => clientId) } })
  },
})

function withoutScope(before: StoredClient, scope: ScopeName, call: AdminCall): ChangePart {
  const document = storedDocument(before)
  const words = scopeWords(typeof document.scope === 'string' ? document.scope : '')
  const metadata = { ...document, scope: words.filter(word => word !== scope).join(' ') }
  return auditedWrite(clients, { row: { ...before, metadata }, before, version: before.version }, call)
}

/** The number of clients that the sentence names. The page lists all of them. */
const clientsNamed = 5

function usedBy(clients: readonly NamedClient[]): string {
  const rest = clients.length - clientsNamed
  const first = clients.slice(0, clientsNamed).map(({ name }) => name)
  const names = new Intl.ListFormat('en').format(rest > 0 ? [...first, `${rest} more`] : first)
  return `Used by ${names}. Type the scope's name to remove it from them and delete it.`
}

export const setScopeEnabled = setEnabledUseCase(scopes, {
  summary: 'Enables or disables a scope. A disabled scope is treated as unknown.',
  done: 'Scope saved.',
  isVersioned: true,
})

export const restoreScope = restoreUseCase(scopes, {
  kind: 'scope',
  permission: 'configuration:restore',
  summary:
    'Restores the document that a scope had after an earlier change. Its secrets stay as they are; one that was deleted has none, and no client may ask for it.',
  rowOf: (_ports, document, { id, stored }) =>
    ok({ name: id, metadata: { ...document, name: id }, secrets: stored?.secrets ?? [] }),
})

/** Secrets with which the API behind a resource scope introspects tokens. */
export const scopeSecrets = secretUseCases(scopes, {
  permission: 'scopes:secrets',
  addSummary:
    'Gives the API of a resource scope one more secret to introspect with. It is in the answer, and never shown again.',
  withSecrets: (row, secrets) => ({ ...row, secrets }),
  addRefusal: nameRefusal,
})

/** Refuses secrets for an identity scope, which has no API, and for a scope whose name is the ID of a client. */
async function nameRefusal(ports: AdminPorts, name: ScopeName): Promise<AdminResult<never> | null> {
  const stored = await ports.scopes.find(name)
  if (stored?.scope.kind === 'identity')
    return invalid('', 'An identity scope has no API that could introspect with a secret.')
  return (await findRegistration(ports, name)) === null
    ? null
    : invalid('', `The client "${name}" introspects with that name. Use the secret of the client.`)
}

export const scopeUseCases: readonly UseCase[] = [
  listScopes,
  readScope,
  createScope,
  updateScope,
  setScopeEnabled,
  ...allOf(scopeSecrets),
  deleteScope,
  restoreScope,
]
