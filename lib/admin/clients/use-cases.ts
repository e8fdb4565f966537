/** Everything an admin does to clients. */
import { z } from 'zod'
import { ok } from '../admin-result.ts'
import { deleteUseCase, restoreUseCase, setEnabledUseCase } from '../resource/resource-use-cases.ts'
import { allOf, secretUseCases } from '../resource/secret-use-cases.ts'
import type { UseCase } from '../use-case.ts'
import { addRedirectUri, allowGrantType, allowScope } from './allow.ts'
import { clients } from './client-resource.ts'
import { beginClientTest } from './client-test/begin-client-test.ts'
import { finishClientTest } from './client-test/finish-client-test.ts'
import { createClient } from './create-client.ts'
import { listClients, readClient } from './read-clients.ts'
import { updateClient } from './update-client.ts'

/** Its consents stay; what was issued to it does not come back. */
export const setClientEnabled = setEnabledUseCase(clients, {
  summary: 'Enables or disables a client. What was issued to it ends when it is disabled.',
  done: 'Client saved.',
})

export const deleteClient = deleteUseCase(clients, {
  summary: 'Deletes a client, the consents given to it, and every token issued to it.',
  done: 'Client deleted. Its tokens are no longer valid.',
  output: z.object({ client_id: z.string() }),
  plan: async (_ports, { stored }) => ok({ parts: [], value: { client_id: stored.clientId } }),
})

/** NOTE: a deleted client comes back without its secrets, and what was issued to it stays ended. */
export const restoreClient = restoreUseCase(clients, {
  kind: 'client',
  permission: 'configuration:restore',
  summary:
    'Restores the document that a client had after an earlier change. Its secrets stay as they are; one that was deleted has none.',
  rowOf: (_ports, document, { id, stored }) =>
    ok({ clientId: id, metadata: { ...document, client_id: id }, secrets: stored?.secrets ?? [] }),
})

export const clientSecrets = secretUseCases(clients, {
  permission: 'clients:secrets',
  addSummary: 'Gives a client one more secret. It is in the answer, and never shown again.',
  withSecrets: (row, secrets) => ({ ...row, secrets }),
})

export const clientUseCases: readonly UseCase[] = [
  listClients,
  readClient,
  createClient,
  updateClient,
  setClientEnabled,
  addRedirectUri,
  allowScope,
  allowGrantType,
  ...allOf(clientSecrets),
  deleteClient,
  restoreClient,
  beginClientTest,
  finishClientTest,
]
