/** Everything an admin does to clients. */
import type { UseCase } from '../use-case.ts'
import { addRedirectUri, allowGrantType, allowScope } from './allow.ts'
import {
  addClientSecret,
  expireClientSecret,
  removeClientSecret,
  rotateClientSecret,
} from './client-secrets.ts'
import { beginClientTest } from './client-test/begin-client-test.ts'
import { finishClientTest } from './client-test/finish-client-test.ts'
import { createClient } from './create-client.ts'
import { deleteClient } from './delete-client.ts'
import { listClients, readClient } from './read-clients.ts'
import { restoreClient } from './restore-client.ts'
import { setClientEnabled } from './set-client-enabled.ts'
import { updateClient } from './update-client.ts'

export const clientUseCases: readonly UseCase[] = [
  listClients,
  readClient,
  createClient,
  updateClient,
  setClientEnabled,
  addRedirectUri,
  allowScope,
  allowGrantType,
  addClientSecret,
  rotateClientSecret,
  expireClientSecret,
  removeClientSecret,
  deleteClient,
  restoreClient,
  beginClientTest,
  finishClientTest,
]
