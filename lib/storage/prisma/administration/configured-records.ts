/** How records of the configuration are written, and how their versions are read. */
import type { ConfiguredKind, Expected, PutRecord } from '#lib/ports/admin-store.ts'
import { policiesId } from '#lib/protocol/registration/policies.ts'
import type { Tables } from '../../database.ts'
import { putClients, removeClient } from '../configuration/clients.ts'
import { putProvider, refuseSharedDomains, removeProvider } from '../configuration/identity-providers.ts'
import { putPolicies, removePolicies } from '../configuration/policies.ts'
import { putScope, removeScope } from '../configuration/scopes.ts'
import { putUser, removeUser } from '../identity/put-users.ts'

/** The functions that write records of one kind. */
export type Records<Kind extends ConfiguredKind> = {
  readonly idOf: (record: PutRecord<Kind>['record']) => Expected['id']
  readonly put: (tables: Tables, record: PutRecord<Kind>['record'], now: Date) => Promise<boolean>
  readonly remove: (tables: Tables, id: string, now: Date) => Promise<boolean>
  /** Returns the versions of those records that exist. */
  readonly versions: (tables: Tables, ids: string[]) => Promise<readonly IdVersion[]>
}

type IdVersion = { readonly id: string; readonly version: number }

export const recordsOf: { readonly [Kind in ConfiguredKind]: Records<Kind> } = {
  client: {
    idOf: ({ clientId }) => clientId,
    put: async (tables, record, now) => (await putClients(tables, [record], now)) > 0,
    remove: removeClient,
    versions: async (tables, ids) => {
      const where = { clientId: { in: ids } }
      const rows = await tables.client.findMany({ where, select: { clientId: true, version: true } })
      return rows.map(({ clientId: id, version }) => ({ id, version }))
    },
  },
  scope: {
    idOf: ({ name }) => name,
    put: putScope,
    remove: removeScope,
    versions: async (tables, ids) => {
      const where = { name: { in: ids } }
      const rows = await tables.scope.findMany({ where, select: { name: true, version: true } })
      return rows.map(({ name: id, version }) => ({ id, version }))
    },
  },
  user: {
    idOf: ({ subject }) => subject,
    put: putUser,
    remove: removeUser,
    versions: async (tables, ids) => {
      const where = { subject: { in: ids } }
      const rows = await tables.user.findMany({ where, select: { subject: true, version: true } })
      return rows.map(({ subject: id, version }) => ({ id, version }))
    },
  },
  provider: {
    idOf: ({ scheme }) => scheme,
    put: async (tables, record, now) => {
      const isChanged = await putProvider(tables, record, now)
      await refuseSharedDomains(tables, [record])
      return isChanged
    },
    remove: removeProvider,
    versions: async (tables, ids) => {
      const where = { scheme: { in: ids } }
      const rows = await tables.identityProvider.findMany({ where, select: { scheme: true, version: true } })
      return rows.map(({ scheme: id, version }) => ({ id, version }))
    },
  },
  policies: {
    idOf: () => policiesId,
    put: putPolicies,
    remove: removePolicies,
    versions: tables => tables.sitePolicies.findMany({ select: { id: true, version: true } }),
  },
}
