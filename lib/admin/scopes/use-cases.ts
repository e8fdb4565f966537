/** Everything an admin does to scopes. */
import { clientIdSchema, type ScopeName } from '#lib/protocol/ids.ts'
import type { AdminPorts } from '../admin-ports.ts'
import { type AdminResult, invalid, ok } from '../admin-result.ts'
import { restoreUseCase, setEnabledUseCase } from '../resource/resource-use-cases.ts'
import { allOf, secretUseCases } from '../resource/secret-use-cases.ts'
import type { UseCase } from '../use-case.ts'
import { deleteScope } from './delete-scope.ts'
import { listScopes, readScope } from './read-scopes.ts'
import { scopes } from './scope-resource.ts'
import { createScope, updateScope } from './write-scope.ts'

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

/** The API behind a resource scope introspects tokens with them. */
export const scopeSecrets = secretUseCases(scopes, {
  permission: 'scopes:secrets',
  addSummary:
    'Gives the API of a resource scope one more secret to introspect with. It is in the answer, and never shown again.',
  withSecrets: (row, secrets) => ({ ...row, secrets }),
  addRefusal: nameRefusal,
})

/** Only APIs introspect; and with the name of a client it would be unclear which of both asks. */
async function nameRefusal(ports: AdminPorts, name: ScopeName): Promise<AdminResult<never> | null> {
  const stored = await ports.scopes.find(name)
  if (stored?.scope.kind === 'identity')
    return invalid('', 'An identity scope has no API that could introspect with a secret.')
  const clientId = clientIdSchema.safeParse(name)
  const client = clientId.success ? await ports.clients.find(clientId.data) : null
  return client === null
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
