/** Writes and reads registered clients. The parsed clients are cached until the configuration changes. */
import { z } from 'zod'
import { storage } from '#lib/config/limits.ts'
import { userDeletions } from '#lib/ports/admin-store.ts'
import type { Clients, RegisteredClient } from '#lib/ports/clients.ts'
import { type ClientRecord, ConfigurationConflict } from '#lib/ports/configuration-store.ts'
import {
  type Client,
  clientFromMetadata,
  clientKindOf,
  readSignatureSettings,
  type SignatureSettings,
  signatureFieldNames,
} from '#lib/protocol/registration/client.ts'
import { clientMetadataFields } from '#lib/protocol/registration/client-fields.ts'
import { Prisma } from '#prisma/generated/sqlite/client.ts'
import type { Database, Tables } from '../../database.ts'
import type { StoreContext } from '../../store.ts'
import { removeAdministrator } from '../administration/administrators.ts'
import { endIssued, endIssuedLate } from '../grants/revocation.ts'
import { cachedRead } from '../reads.ts'
import { batchesOf, equals } from '../rows.ts'
import { clientSortKey, putClientTerms, putNewClientTerms, removeTerms } from './search-terms.ts'
import { areSameSecrets, includingSecrets, secretFromRow, secretsToRows } from './secrets.ts'
import { documentText, isSameDocument, readDocument } from './stored-documents.ts'

export function createClients(database: Database, { revision }: StoreContext): Clients {
  const findClient = cachedRead({
    load: id => load(database, id),
    size: storage.cachedDocuments,
    revision: revision.current,
  })
  const readOrigins = cachedRead({ load: () => loadOrigins(database), size: 1, revision: revision.current })
  return {
    find: findClient,
    allowsOrigin: async origin => {
      const allowed = await readOrigins('all')
      return allowed?.has(origin) ?? false
    },
    signatureSettings: () => loadSignatureSettings(database),
  }
}

async function load(database: Database, clientId: string): Promise<RegisteredClient | null> {
  const row = await database.client.findUnique({ where: { clientId }, include: includingSecrets })
  return row && { client: parse(row.metadata), secrets: row.secrets.map(secretFromRow) }
}

async function loadOrigins(database: Database): Promise<ReadonlySet<string>> {
  const rows = await database.client.findMany({ where: { enabled: true }, select: { metadata: true } })
  return new Set(rows.flatMap(row => parse(row.metadata).allowedCorsOrigins))
}

/**
 * Loads the distinct signature settings of enabled clients. The database removes duplicates: thousands of clients
 * share a few combinations. Clients whose list of grant types is empty are left out: they get no tokens, they only
 * introspect.
 */
async function loadSignatureSettings(database: Database): Promise<readonly SignatureSettings[]> {
  const field = fieldIn[database.dialect]
  const columns = signatureFieldNames.map(name => `${field(name)} AS "${name}"`)
  const hasGrants = Prisma.raw(`COALESCE(${field('grant_types')}, '') <> '[]'`)
  const found = await database.$queryRaw(
    Prisma.sql`SELECT DISTINCT ${Prisma.raw(columns.join(', '))} FROM "Client" WHERE "enabled" = ${true} AND ${hasGrants}`,
  )
  return z.array(z.record(z.string(), z.unknown())).parse(found).map(withoutNull).map(readSignatureSettings)
}

const fieldIn = {
  sqlite: (name: string) => `json_extract("metadata", '$.${name}')`,
  // Removes the escapes that PostgreSQL does not decode, in documents that were stored before they were refused. The
  // first alternative reads an escaped backslash, so that a `u0000` after it stays
  postgresql: (name: string) =>
    String.raw`regexp_replace("metadata", '(\\\\)|\\u(?:0000|d[89a-f][0-9a-f]{2})', '\1', 'gi')::json ->> '${name}'`,
} as const

function withoutNull(row: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null))
}

function parse(metadata: string): Client {
  return clientFromMetadata(readDocument(metadata, clientMetadataFields))
}

/**
 * Creates or replaces clients. Returns the number of clients that were created or changed. New clients are written
 * together, so that the first start with a configuration file of a thousand clients is fast.
 */
export async function putClients(
  tables: Tables,
  records: readonly ClientRecord[],
  now: Date,
): Promise<number> {
  let changed = 0
  for (const batch of batchesOf(records)) changed += await putBatch(tables, batch, now)
  return changed
}

async function putBatch(tables: Tables, records: readonly ClientRecord[], now: Date): Promise<number> {
  const stored = await storedClients(tables, records)
  const changed = records.filter(record => !isUnchanged(stored.get(record.clientId), record)).map(withClient)
  if (changed.length === 0) return 0
  const fresh = changed.filter(({ clientId }) => !stored.has(clientId))
  await refuseSubjectOfUser(tables, changed)
  await refuseReservedSubject(tables, fresh)
  await createTogether(tables, fresh, now)
  for (const record of changed) {
    const found = stored.get(record.clientId)
    if (found !== undefined) await replace(tables, { found, record, now })
  }
  return changed.length
}

type Stored = Awaited<ReturnType<typeof findClients>>[number]

async function storedClients(
  tables: Tables,
  records: readonly ClientRecord[],
): Promise<ReadonlyMap<string, Stored>> {
  const rows = await findClients(tables, records)
  return new Map(rows.map(row => [row.clientId, row]))
}

function findClients(tables: Tables, records: readonly ClientRecord[]) {
  return tables.client.findMany({ where: { clientId: idIn(records) }, include: includingSecrets })
}

function idIn(records: readonly ClientRecord[]): { readonly in: string[] } {
  return { in: records.map(({ clientId }) => clientId) }
}

function isUnchanged(found: Stored | undefined, { metadata, secrets }: ClientRecord): boolean {
  if (found === undefined) return false
  return (
    isSameDocument(found.metadata, metadata, clientMetadataFields) && areSameSecrets(found.secrets, secrets)
  )
}

type ReadRecord = ClientRecord & { readonly client: Client }

function withClient(record: ClientRecord): ReadRecord {
  const client = clientFromMetadata(record.metadata)
  if (client.clientId === record.clientId) return { ...record, client }
  throw new ConfigurationConflict(`The document of client ${record.clientId} names another client_id.`)
}

async function refuseSubjectOfUser(tables: Tables, records: readonly ClientRecord[]): Promise<void> {
  const user = await tables.user.findFirst({ where: { subject: idIn(records) } })
  if (user === null) return
  // The message leaves out the user's name: an administrator of clients may lack permission to see users
  throw new ConfigurationConflict(`The client_id ${user.subject} is already the subject of a user.`)
}

/**
 * AD-03: refuses the IDs of administrators and of deleted users. An administrator of a custom user store has no other
 * row in this database, and apps still know a deleted user by the subject, which is never reassigned.
 */
async function refuseReservedSubject(tables: Tables, records: readonly ClientRecord[]): Promise<void> {
  if (records.length === 0) return
  const taken = idIn(records)
  const admin = await tables.administrator.findFirst({ where: { subject: taken } })
  if (admin !== null)
    throw new ConfigurationConflict(
      `The client_id ${admin.subject} is already the subject of an administrator.`,
    )
  const where = { targetKind: 'user', targetId: taken, action: { in: [...userDeletions] } }
  const deleted = await tables.auditRow.findFirst({ where })
  if (deleted !== null)
    throw new ConfigurationConflict(`The client_id ${deleted.targetId} was the subject of a deleted user.`)
}

async function createTogether(tables: Tables, records: readonly ReadRecord[], now: Date): Promise<void> {
  if (records.length === 0) return
  const last = await tables.client.findFirst({ orderBy: { position: 'desc' } })
  const first = (last?.position ?? 0) + 1
  const rows = records.map((record, index) => {
    const { clientId } = record
    return { ...columnsOf(record, null, now), clientId, version: 1, createdAt: now, position: first + index }
  })
  await tables.client.createMany({ data: rows })
  const secrets = records.flatMap(({ clientId, secrets }) =>
    secretsToRows(secrets, { stored: [], now }).map(row => ({ clientId, ...row })),
  )
  if (secrets.length > 0) await tables.clientSecret.createMany({ data: secrets })
  const clients = records.map(({ client }) => client)
  await putNewClientTerms(tables, clients)
  const ids = records.map(({ clientId }) => clientId)
  await endIssuedLate(tables, ids, now)
}

/** The columns of a client: its document, which replaces the stored one, and the values by which lists filter and sort. */
function columnsOf({ client, metadata }: ReadRecord, stored: string | null, now: Date) {
  return {
    name: client.clientName,
    sortKey: clientSortKey(client),
    enabled: client.enabled,
    metadata: documentText(metadata, stored, clientMetadataFields),
    kind: clientKindOf(client),
    updatedAt: now,
  }
}

type Replacement = { readonly found: Stored; readonly record: ReadRecord; readonly now: Date }

async function replace(tables: Tables, { found, record, now }: Replacement): Promise<void> {
  const { clientId, client } = record
  const data = { ...columnsOf(record, found.metadata, now), version: { increment: 1 } }
  await tables.client.update({ where: { clientId }, data })
  if (found.secrets.length > 0) await tables.clientSecret.deleteMany({ where: { clientId } })
  for (const secret of secretsToRows(record.secrets, { stored: found.secrets, now }))
    await tables.clientSecret.create({ data: { clientId, ...secret } })
  await putClientTerms(tables, client)
  // RT-08: enabling the client again does not restore anything
  if (found.enabled && !client.enabled) await endIssued(tables, clientId, now)
  if (!found.enabled && client.enabled) await endIssuedLate(tables, [clientId], now)
}

/**
 * Removes a client with its consents and its role as an administrator, and revokes everything that was issued to it.
 * Returns false if the client did not exist.
 */
export async function removeClient(tables: Tables, clientId: string, now: Date): Promise<boolean> {
  const { count } = await tables.client.deleteMany({ where: { clientId: equals(clientId) } })
  if (count === 0) return false
  await removeTerms(tables, 'client', clientId)
  await endIssued(tables, clientId, now)
  await tables.consent.deleteMany({ where: { clientId } })
  // A later client with the same ID must not inherit the role
  await removeAdministrator(tables, clientId)
  return true
}
