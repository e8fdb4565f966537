/** Writing and reading back everything that is configured. */
import { storage } from '#lib/config/limits.ts'
import type { Committed, ConfigurationWrite, Expected } from '#lib/ports/admin-store.ts'
import type {
  AppliedChanges,
  Configuration,
  ConfigurationChanges,
  ConfigurationStore,
} from '#lib/ports/configuration-store.ts'
import type { Database, Tables } from '../../database.ts'
import type { StoreContext } from '../../store.ts'
import { putUser, removeUser, userFromRow } from '../identity/users.ts'
import { cachedRead, sharedRead } from '../reads.ts'
import { clientId, scopeName } from '../rows.ts'
import { putClients, removeClient } from './clients.ts'
import { providerFromRow, putProvider, refuseSharedDomains, removeProvider } from './identity-providers.ts'
import { requireMeta, setMeta } from './meta.ts'
import { putScope, removeScope } from './scopes.ts'
import { orderByPosition, secretFromRow } from './secrets.ts'

export function createConfigurationStore(database: Database, { revision }: StoreContext): ConfigurationStore {
  return {
    apply: (changes, now) =>
      database
        .$transaction(tables => applyChanges(tables, changes, now), {
          timeout: storage.applyConfigurationMs,
        })
        .finally(revision.forget),
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

/** Ends the transaction with nothing written. */
export class Refused extends Error {
  readonly committed: Exclude<Committed, { kind: 'done' }>

  constructor(committed: Refused['committed']) {
    super(committed.kind)
    this.committed = committed
  }
}

/** Returns whether anything changed. Throws `Refused` when the stored version is not the expected one. */
export async function writeConfigured(
  tables: Tables,
  write: ConfigurationWrite,
  now: Date,
): Promise<boolean> {
  await requireVersion(tables, expectedBy(write))
  const isChanged = await putOrRemove(tables, write, now)
  if (isChanged) await bumpRevision(tables)
  return isChanged
}

async function putOrRemove(tables: Tables, write: ConfigurationWrite, now: Date): Promise<boolean> {
  switch (write.kind) {
    case 'put_client':
      return (await putClients(tables, [write.record], now)) > 0
    case 'put_scope':
      return putScope(tables, write.record, now)
    case 'put_user':
      return putUser(tables, write.record, now)
    case 'put_provider': {
      const isChanged = await putProvider(tables, write.record, now)
      await refuseSharedDomains(tables, [write.record])
      return isChanged
    }
    case 'remove_client':
      return removeClient(tables, write.id, now)
    case 'remove_scope':
      return removeScope(tables, write.id)
    case 'remove_user':
      return removeUser(tables, write.id, now)
    case 'remove_provider':
      return removeProvider(tables, write.id, now)
  }
}

function expectedBy(write: ConfigurationWrite): Expected {
  const version = write.expectedVersion
  switch (write.kind) {
    case 'put_client':
      return { kind: 'client', id: write.record.clientId, version }
    case 'put_scope':
      return { kind: 'scope', id: write.record.name, version }
    case 'put_user':
      return { kind: 'user', id: write.record.subject, version }
    case 'put_provider':
      return { kind: 'provider', id: write.record.scheme, version }
    case 'remove_client':
      return { kind: 'client', id: write.id, version }
    case 'remove_scope':
      return { kind: 'scope', id: write.id, version }
    case 'remove_user':
      return { kind: 'user', id: write.id, version }
    case 'remove_provider':
      return { kind: 'provider', id: write.id, version }
  }
}

/** Throws `Refused` unless that is the stored version. */
export async function requireVersion(tables: Tables, expected: Expected): Promise<void> {
  const row = await versionOf(tables, expected)
  if ((row?.version ?? 0) !== expected.version)
    throw new Refused({ kind: 'conflict', expected, reason: null })
}

function versionOf(tables: Tables, { kind, id }: Expected): Promise<{ version: number } | null> {
  const select = { version: true } as const
  switch (kind) {
    case 'client':
      return tables.client.findUnique({ where: { clientId: id }, select })
    case 'scope':
      return tables.scope.findUnique({ where: { name: id }, select })
    case 'user':
      return tables.user.findUnique({ where: { subject: id }, select })
    case 'provider':
      return tables.identityProvider.findUnique({ where: { scheme: id }, select })
  }
}

/** The row whose number grows with every change of the configuration. */
const id = 'configuration'

/** `isAlone`: this process is the only writer, so the revision is cached until `forget` is called. */
export function createRevisionCache(database: Database, isAlone: boolean) {
  const shared = sharedRead(() => readRevision(database))
  const cached = cachedRead({ load: shared, size: 1 })
  const read = isAlone ? () => cached.read('revision') : shared
  return { current: async () => (await read()) ?? 0, forget: () => cached.forget() }
}

export async function readRevision(tables: Tables): Promise<number> {
  const row = await tables.configurationRevision.findUnique({ where: { id } })
  return row?.revision ?? 0
}

/** Makes later writers wait until this transaction ends. */
export async function lockRevision(tables: Tables): Promise<void> {
  await tables.configurationRevision.upsert({
    where: { id },
    create: { id, revision: 0 },
    update: { revision: { increment: 0 } },
  })
}

async function bumpRevision(tables: Tables): Promise<void> {
  await tables.configurationRevision.update({ where: { id }, data: { revision: { increment: 1 } } })
}
