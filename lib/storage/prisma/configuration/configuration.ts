/** Writing and reading back everything that is configured. */
import { storage } from '#lib/config/limits.ts'
import type {
  AppliedChanges,
  Configuration,
  ConfigurationChanges,
  ConfigurationStore,
} from '#lib/ports/configuration-store.ts'
import type { Database, Tables } from '../../database.ts'
import { clientId, scopeName } from '../columns.ts'
import { userFromRow } from '../identity/users.ts'
import { putClients, removeClient } from './configured-clients.ts'
import { putProvider, refuseSharedDomains, removeProvider } from './configured-providers.ts'
import { putScope, removeScope } from './configured-scopes.ts'
import { putUser, removeUser } from './configured-users.ts'
import { providerFromRow } from './identity-providers.ts'
import { requireMeta, setMeta } from './meta.ts'
import { bumpRevision, lockRevision, readRevision } from './revision.ts'
import { orderByPosition, secretFromRow } from './secrets.ts'

export function createConfigurationStore(database: Database): ConfigurationStore {
  return {
    apply: (changes, now) =>
      database.$transaction(tables => applyChanges(tables, changes, now), {
        timeout: storage.applyConfigurationMs,
      }),
    read: () => read(database),
    revision: () => readRevision(database),
  }
}

/** On the tables of one transaction. */
export async function applyChanges(
  tables: Tables,
  changes: ConfigurationChanges,
  now: Date,
): Promise<AppliedChanges> {
  await lockRevision(tables)
  for (const [name, value] of Object.entries(changes.basedOn ?? {})) await requireMeta(tables, name, value)
  const removed = await removeAll(tables, changes.remove, now)
  const written = await putAll(tables, changes.put, now)
  if (removed + written > 0) await bumpRevision(tables)
  for (const [name, value] of Object.entries(changes.meta ?? {})) await setMeta(tables, name, value)
  return { written, removed }
}

async function removeAll(tables: Tables, remove: ConfigurationChanges['remove'], now: Date): Promise<number> {
  const clients = await countTrue(remove.clients, id => removeClient(tables, id, now))
  const users = await countTrue(remove.users, subject => removeUser(tables, subject, now))
  const scopes = await countTrue(remove.scopes, name => removeScope(tables, name))
  const providers = await countTrue(remove.providers, scheme => removeProvider(tables, scheme, now))
  return clients + users + scopes + providers
}

async function putAll(tables: Tables, put: ConfigurationChanges['put'], now: Date): Promise<number> {
  const scopes = await countTrue(put.scopes, record => putScope(tables, record, now))
  const clients = await putClients(tables, put.clients ?? [], now)
  const users = await countTrue(put.users, user => putUser(tables, user, now))
  const providers = await countTrue(put.providers, provider => putProvider(tables, provider, now))
  await refuseSharedDomains(tables, put.providers ?? [])
  return scopes + clients + users + providers
}

async function countTrue<T>(
  items: readonly T[] | undefined,
  change: (item: T) => Promise<boolean>,
): Promise<number> {
  let count = 0
  for (const item of items ?? []) if (await change(item)) count += 1
  return count
}

async function read(database: Database): Promise<Configuration> {
  const include = { secrets: { orderBy: orderByPosition } }
  const clients = await database.client.findMany({ orderBy: orderByPosition, include })
  const scopes = await database.scope.findMany({ orderBy: orderByPosition, include })
  const users = await database.user.findMany({ orderBy: [{ createdAt: 'asc' }, { subject: 'asc' }] })
  const providers = await database.identityProvider.findMany({ orderBy: orderByPosition })
  return {
    clients: clients.map(row => ({ clientId: clientId(row.clientId), ...document(row) })),
    scopes: scopes.map(row => ({ name: scopeName(row.name), ...document(row) })),
    users: users.map(userFromRow),
    providers: providers.map(providerFromRow),
  }
}

type DocumentRow = {
  readonly metadata: string
  readonly secrets: readonly Parameters<typeof secretFromRow>[0][]
}

function document(row: DocumentRow) {
  return { metadata: JSON.parse(row.metadata), secrets: row.secrets.map(secretFromRow) }
}
