/** Everything an admin does to identity providers. */
import type { UseCase } from '../use-case.ts'
import { deleteProvider } from './delete-provider.ts'
import { findProviderClients, setProviderClients } from './provider-clients.ts'
import { listProviders, previewProvider, readProvider } from './read-providers.ts'
import { restoreProvider } from './restore-provider.ts'
import { finishProviderTrial, startProviderTrial } from './try-provider.ts'
import { createProvider, setProviderEnabled, updateProvider } from './write-provider.ts'

export const providerUseCases: readonly UseCase[] = [
  listProviders,
  readProvider,
  previewProvider,
  createProvider,
  updateProvider,
  setProviderEnabled,
  findProviderClients,
  setProviderClients,
  startProviderTrial,
  finishProviderTrial,
  deleteProvider,
  restoreProvider,
]
