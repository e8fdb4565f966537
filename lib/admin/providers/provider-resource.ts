/** How an identity provider is found, stored and shown to admins. Its secret is sealed in `row`. */
import type { IdentityProvider } from '#lib/ports/grants.ts'
import { type ProviderScheme, providerSchemeSchema } from '#lib/protocol/ids.ts'
import { ok } from '../admin-result.ts'
import type { Resource } from '../resource/resource.ts'
import {
  type ProviderView,
  providerFacts,
  providerView,
  providerViewSchema,
  storedProvider,
} from './provider-view.ts'

type ProviderTypes = {
  readonly field: 'scheme'
  readonly id: ProviderScheme
  readonly row: IdentityProvider
  readonly extra: object
  readonly view: ProviderView
}

export const providers: Resource<ProviderTypes> = {
  kind: 'provider',
  area: 'providers',
  idField: 'scheme',
  idSchema: providerSchemeSchema,
  readId: given => providerSchemeSchema.parse(given),
  idOf: ({ scheme }) => scheme,
  find: storedProvider,
  view: providerView,
  viewSchema: providerViewSchema,
  audited: (row, before) => ({
    ...providerFacts(row),
    ...(before !== null && before.clientSecret !== row.clientSecret ? { secret_changed: true } : {}),
  }),
  current: stored => ({ version: stored.version, ...providerFacts(stored) }),
  check: async (_ports, { row }) => ok(row),
  put: (row, expectedVersion) => ({ kind: 'put_provider', record: row, expectedVersion }),
  remove: (id, expectedVersion) => ({ kind: 'remove_provider', id, expectedVersion }),
  withEnabled: (row, enabled) => ({ ...row, enabled }),
}
