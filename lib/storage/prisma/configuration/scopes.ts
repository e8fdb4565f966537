/** Scopes: writes them, and reads and parses them once per revision of the configuration. */
import type { RegisteredScope, Scopes } from '#lib/ports/clients.ts'
import { ConfigurationConflict, type ScopeRecord } from '#lib/ports/configuration-store.ts'
import { scopeFromMetadata, scopeMetadataFields } from '#lib/protocol/registration/scope.ts'
import type { Database, Tables } from '../../database.ts'
import type { StoreContext } from '../../store.ts'
import { cachedRead } from '../reads.ts'
import { changesOne, equals } from '../rows.ts'
import { areSameSecrets, includingSecrets, orderByPosition, secretFromRow, secretsToRows } from './secrets.ts'
import { documentText, isSameDocument, readDocument } from './stored-documents.ts'

export function createScopes(database: Database, { revision }: StoreContext): Scopes {
  const readAll = cachedRead({ load: () => load(database), size: 1, revision: revision.current })
  const all = () => readAll('all').then(found => found ?? [])
  return {
    all,
    find: async name => (await all()).find(registered => registered.scope.name === name) ?? null,
  }
}

async function load(database: Database): Promise<readonly RegisteredScope[]> {
  const rows = await database.scope.findMany({ orderBy: orderByPosition, include: includingSecrets })
  return rows.map(row => ({
    scope: scopeFromMetadata(readDocument(row.metadata, scopeMetadataFields)),
    secrets: row.secrets.map(secretFromRow),
  }))
}

/** Creates or replaces a scope. Returns false if nothing changed. */
export async function putScope(tables: Tables, record: ScopeRecord, now: Date): Promise<boolean> {
  const { name } = record
  const found = await tables.scope.findUnique({ where: { name }, include: includingSecrets })
  if (found !== null && isUnchanged(found, record)) return false
  const scope = scopeFromMetadata(record.metadata)
  if (scope.name !== name) throw new ConfigurationConflict(`The document of scope ${name} has another name.`)
  const metadata = documentText(record.metadata, found?.metadata ?? null, scopeMetadataFields)
  const columns = { enabled: scope.enabled, metadata, updatedAt: now }
  const last = await tables.scope.findFirst({ orderBy: { position: 'desc' } })
  const create = { ...columns, name, version: 1, createdAt: now, position: (last?.position ?? 0) + 1 }
  await tables.scope.upsert({ where: { name }, create, update: { ...columns, version: { increment: 1 } } })
  const stored = found?.secrets ?? []
  if (stored.length > 0) await tables.scopeSecret.deleteMany({ where: { scopeName: name } })
  for (const secret of secretsToRows(record.secrets, { stored, now }))
    await tables.scopeSecret.create({ data: { scopeName: name, ...secret } })
  return true
}

type Stored = { readonly metadata: string; readonly secrets: Parameters<typeof areSameSecrets>[0] }

function isUnchanged(found: Stored, { metadata, secrets }: ScopeRecord): boolean {
  return (
    isSameDocument(found.metadata, metadata, scopeMetadataFields) && areSameSecrets(found.secrets, secrets)
  )
}

/** Removes a scope. Returns false if it did not exist. */
export async function removeScope(tables: Tables, name: string): Promise<boolean> {
  return changesOne(tables.scope.deleteMany({ where: { name: equals(name) } }))
}
