/** Writing and reading back everything that is configured. */
import { storage } from '#lib/config/limits.ts'
import type {
  Committed,
  ConfigurationWrite,
  ConfiguredKind,
  Expected,
  PutRecord,
} from '#lib/ports/admin-store.ts'
import type {
  AppliedChanges,
  Configuration,
  ConfigurationChanges,
  ConfigurationStore,
} from '#lib/ports/configuration-store.ts'
import type { Database, Tables } from '../../database.ts'
import { statements } from '../../sql/statements.ts'
import type { StoreContext } from '../../store.ts'
import { putUser, putUsers, removeUser, userFromRow } from '../identity/users.ts'
import { sharedRead } from '../reads.ts'
import { batchesOf, clientId, scopeName, type Writing } from '../rows.ts'
import { putClients, removeClient } from './clients.ts'
import { providerFromRow, putProvider, refuseSharedDomains, removeProvider } from './identity-providers.ts'
import { requireMeta, setMeta } from './meta.ts'
import { putScope, removeScope } from './scopes.ts'
import { orderByPosition, secretFromRow } from './secrets.ts'

export function createConfigurationStore(database: Database, { revision }: StoreContext): ConfigurationStore {
  return {
    apply: (changes, now) =>
      database
        .$transaction(tables => applyChanges(tables, changes, { now, dialect: database.dialect }), {
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
  writing: Writing,
): Promise<AppliedChanges> {
  await lockRevision(tables)
  for (const [name, value] of Object.entries(changes.basedOn ?? {})) await requireMeta(tables, name, value)
  const removed = await removeAll(tables, changes.remove, writing.now)
  const written = await putAll(tables, changes.put, writing)
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

async function putAll(tables: Tables, put: ConfigurationChanges['put'], writing: Writing): Promise<number> {
  const { now } = writing
  const scopes = await countTrue(put.scopes, record => putScope(tables, record, now))
  const clients = await putClients(tables, put.clients ?? [], now)
  const users = await putUsers(tables, put.users ?? [], writing)
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

/** How records of a kind are written. */
type Records<Kind extends ConfiguredKind> = {
  readonly idOf: (record: PutRecord<Kind>['record']) => Expected['id']
  readonly put: (tables: Tables, record: PutRecord<Kind>['record'], now: Date) => Promise<boolean>
  readonly remove: (tables: Tables, id: string, now: Date) => Promise<boolean>
  /** The versions of those that are stored. */
  readonly versions: (tables: Tables, ids: string[]) => Promise<readonly IdVersion[]>
}

type IdVersion = { readonly id: string; readonly version: number }

const recordsOf: { readonly [Kind in ConfiguredKind]: Records<Kind> } = {
  client: {
    idOf: ({ clientId }) => clientId,
    put: async (tables, record, now) => (await putClients(tables, [record], now)) > 0,
    remove: removeClient,
    versions: async (tables, ids) => {
      const rows = await tables.client.findMany({
        where: { clientId: { in: ids } },
        select: { clientId: true, version: true },
      })
      return rows.map(({ clientId: id, version }) => ({ id, version }))
    },
  },
  scope: {
    idOf: ({ name }) => name,
    put: putScope,
    remove: removeScope,
    versions: async (tables, ids) => {
      const rows = await tables.scope.findMany({
        where: { name: { in: ids } },
        select: { name: true, version: true },
      })
      return rows.map(({ name: id, version }) => ({ id, version }))
    },
  },
  user: {
    idOf: ({ subject }) => subject,
    put: putUser,
    remove: removeUser,
    versions: async (tables, ids) => {
      const rows = await tables.user.findMany({
        where: { subject: { in: ids } },
        select: { subject: true, version: true },
      })
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
      const rows = await tables.identityProvider.findMany({
        where: { scheme: { in: ids } },
        select: { scheme: true, version: true },
      })
      return rows.map(({ scheme: id, version }) => ({ id, version }))
    },
  },
}

/** Returns whether anything changed. Throws `Refused` when the stored version is not the expected one. */
export async function writeConfigured(
  tables: Tables,
  write: ConfigurationWrite,
  now: Date,
): Promise<boolean> {
  const isChanged =
    write.kind === 'put' ? await putRecord(tables, write, now) : await removeRecord(tables, write, now)
  if (isChanged) await bumpRevision(tables)
  return isChanged
}

async function putRecord<Kind extends ConfiguredKind>(
  tables: Tables,
  { of, record, expectedVersion }: PutRecord<Kind>,
  now: Date,
): Promise<boolean> {
  const records: Records<Kind> = recordsOf[of]
  await requireVersions(tables, [{ kind: of, id: records.idOf(record), version: expectedVersion }])
  return records.put(tables, record, now)
}

async function removeRecord(
  tables: Tables,
  { of, id, expectedVersion }: RemoveRecord,
  now: Date,
): Promise<boolean> {
  await requireVersions(tables, [{ kind: of, id, version: expectedVersion }])
  return recordsOf[of].remove(tables, id, now)
}

type RemoveRecord = Extract<ConfigurationWrite, { kind: 'remove' }>

/** Throws `Refused` unless these are the stored versions. */
export async function requireVersions(tables: Tables, expected: readonly Expected[]): Promise<void> {
  for (const [kind, records] of Object.entries(recordsOf))
    for (const batch of batchesOf(expected.filter(one => one.kind === kind))) {
      const rows = await records.versions(
        tables,
        batch.map(({ id }) => id),
      )
      const stored = new Map(rows.map(({ id, version }) => [id, version]))
      const outdated = batch.find(({ id, version }) => (stored.get(id) ?? 0) !== version)
      if (outdated !== undefined) throw new Refused({ kind: 'conflict', expected: outdated, reason: null })
    }
}

/** The row whose number grows with every change of the configuration. */
const id = 'configuration'

/** `isAlone`: this process is the only writer, so the revision is known until `forget` is called. */
export function createRevisionCache(database: Database, isAlone: boolean): StoreContext['revision'] {
  const shared = sharedRead(() => readRevision(database))
  let known: number | null = null
  let changes = 0
  const load = async () => {
    const began = changes
    const revision = await shared()
    // NOTE: a revision that was read while something changed may be the old one
    if (began === changes) known = revision
    return revision
  }
  const forget = () => {
    changes += 1
    known = null
  }
  return { current: isAlone ? () => known ?? load() : shared, forget }
}

async function readRevision(database: Database): Promise<number> {
  const cells = await database.$first(statements.revision, [id])
  return Number(cells?.[0] ?? 0)
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
