/** Applies changes of the configuration, reads all of it, and counts its revisions. */
import { storage } from '#lib/config/limits.ts'
import type {
  AppliedChanges,
  Configuration,
  ConfigurationChanges,
  ConfigurationStore,
} from '#lib/ports/configuration-store.ts'
import { clientMetadataFields } from '#lib/protocol/registration/client-fields.ts'
import { scopeMetadataFields } from '#lib/protocol/registration/scope.ts'
import type { Database, Tables } from '../../database.ts'
import { statement } from '../../sql/statement.ts'
import type { StoreContext } from '../../store.ts'
import { putUsers, removeUser } from '../identity/put-users.ts'
import { userFromRow } from '../identity/user-rows.ts'
import { sharedRead } from '../reads.ts'
import { clientId, scopeName, type Writing } from '../rows.ts'
import { putClients, removeClient } from './clients.ts'
import { providerFromRow, putProvider, refuseSharedDomains, removeProvider } from './identity-providers.ts'
import { requireMeta, setMeta } from './meta.ts'
import { policiesFromRow, putPolicies } from './policies.ts'
import { putScope, removeScope } from './scopes.ts'
import { includingSecrets, orderByPosition, secretFromRow } from './secrets.ts'
import { readDocument } from './stored-documents.ts'

export function createConfigurationStore(database: Database, { revision }: StoreContext): ConfigurationStore {
  return {
    apply: (changes, now) =>
      database
        .$transaction(tables => applyChanges(tables, changes, { now, dialect: database.dialect }), {
          timeout: storage.applyConfigurationMs,
        })
        .finally(revision.forget),
    read: () => read(database),
    readUsers: async () =>
      (await database.user.findMany({ orderBy: [{ createdAt: 'asc' }, { subject: 'asc' }] })).map(
        userFromRow,
      ),
    revision: () => readRevision(database),
  }
}

/**
 * Applies changes of the configuration within the transaction of `tables`.
 * @throws ConfigurationOutdated when a value that the changes are based on was changed since
 * @throws ConfigurationConflict when a record contradicts others
 */
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
  const policies = await countTrue(put.policies, record => putPolicies(tables, record, now))
  return scopes + clients + users + providers + policies
}

async function countTrue<T>(
  items: readonly T[] | undefined,
  change: (item: T) => Promise<boolean>,
): Promise<number> {
  let count = 0
  for (const item of items ?? []) if (await change(item)) count += 1
  return count
}

async function read(database: Database): Promise<Omit<Configuration, 'users'>> {
  const clients = await database.client.findMany({ orderBy: orderByPosition, include: includingSecrets })
  const scopes = await database.scope.findMany({ orderBy: orderByPosition, include: includingSecrets })
  const providers = await database.identityProvider.findMany({ orderBy: orderByPosition })
  return {
    clients: clients.map(row => ({
      clientId: clientId(row.clientId),
      ...document(row, clientMetadataFields),
    })),
    scopes: scopes.map(row => ({ name: scopeName(row.name), ...document(row, scopeMetadataFields) })),
    providers: providers.map(providerFromRow),
    policies: (await database.sitePolicies.findMany()).map(policiesFromRow),
  }
}

type DocumentRow = {
  readonly metadata: string
  readonly secrets: readonly Parameters<typeof secretFromRow>[0][]
}

function document(row: DocumentRow, fields: Parameters<typeof readDocument>[1]) {
  return { metadata: readDocument(row.metadata, fields), secrets: row.secrets.map(secretFromRow) }
}

/** The ID of the row that contains the revision number, which grows with every change of the configuration. */
const id = 'configuration'

/**
 * Creates the functions that read and forget the revision number. `isAlone`: this process is the only writer, so the
 * number is cached until `forget` is called. Otherwise each turn of the event loop reads it once.
 */
export function createRevisionCache(database: Database, isAlone: boolean): StoreContext['revision'] {
  const shared = sharedRead(() => readRevision(database))
  let known: number | null = null
  let changes = 0
  const load = async () => {
    const began = changes
    const revision = await shared()
    // NOTE: a revision that was read during a change may be outdated, so it is not cached
    if (began === changes) known = revision
    return revision
  }
  const forget = () => {
    changes += 1
    known = null
  }
  return { current: isAlone ? () => known ?? load() : shared, forget }
}

const revisionById = statement(`SELECT "revision" FROM "ConfigurationRevision" WHERE "id" = $1`)

async function readRevision(database: Database): Promise<number> {
  const cells = await database.$first(revisionById, [id])
  return Number(cells?.[0] ?? 0)
}

/** Makes later writers of the configuration wait until this transaction ends. */
export async function lockRevision(tables: Tables): Promise<void> {
  await tables.configurationRevision.upsert({
    where: { id },
    create: { id, revision: 0 },
    update: { revision: { increment: 0 } },
  })
}

export async function bumpRevision(tables: Tables): Promise<void> {
  await tables.configurationRevision.update({ where: { id }, data: { revision: { increment: 1 } } })
}
