/** Everything an admin does to identity providers. */
import { z } from 'zod'
import { invalid } from '../admin-result.ts'
import { restoreUseCase, setEnabledUseCase } from '../resource/resource-use-cases.ts'
import type { UseCase } from '../use-case.ts'
import { deleteProvider } from './delete-provider.ts'
import { findProviderClients, setProviderClients } from './provider-clients.ts'
import { providerFields } from './provider-input.ts'
import { providers } from './provider-resource.ts'
import { listProviders, previewProvider, readProvider } from './read-providers.ts'
import { finishProviderTrial, startProviderTrial } from './try-provider.ts'
import { changedProvider, createProvider, newProvider, updateProvider } from './write-provider.ts'

export const setProviderEnabled = setEnabledUseCase(providers, {
  summary:
    'Enables or disables an identity provider. Users who came from there are signed out when it is disabled.',
  done: 'Provider saved.',
  isSensitive: true,
  isVersioned: true,
})

const versionSchema = z.object({ ...providerFields, has_secret: z.boolean() })

/** NOTE: what was deleted lost its secret, which is entered again. */
export const restoreProvider = restoreUseCase(providers, {
  kind: 'provider',
  permission: 'providers:update',
  summary:
    'Restores the settings that a provider had after an earlier change. Its secret stays; one that was deleted needs it again.',
  isSensitive: true,
  input: { client_secret: z.string().default('') },
  rowOf: (ports, document, { id, stored, input: { client_secret: secret } }) => {
    const read = versionSchema.safeParse({ ...document, scheme: id })
    if (!read.success) return invalid('seq', 'This change left no version that can be restored.')
    const { has_secret: hadSecret, ...settings } = read.data
    const given = typeof secret !== 'string' || secret === '' ? {} : { client_secret: secret }
    const wanted = { ...settings, ...given, is_public: !hadSecret }
    return stored === null ? newProvider(ports, wanted) : changedProvider(ports, stored, wanted)
  },
})

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
