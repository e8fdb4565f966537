/** Writing one client. */
import { type ClientRecord, ConfigurationConflict } from '#lib/ports/configuration-store.ts'
import { clientKindOf } from '#lib/protocol/client-kind-of.ts'
import { clientFromMetadata } from '#lib/protocol/client-metadata.ts'
import type { Tables } from '../client.ts'
import { removeAdministrator } from './administrators.ts'
import { endIssued } from './end-everything.ts'
import { exactly } from './exactly.ts'
import { clientSortKey, putClientTerms, removeTerms } from './search-terms.ts'
import { areSameSecrets, inOrder, secretsToRows } from './secrets.ts'

/** Creates or replaces it. False when it already was as asked. */
export async function putClient(tables: Tables, record: ClientRecord, now: Date): Promise<boolean> {
  const { clientId } = record
  const metadata = JSON.stringify(record.metadata)
  const include = { secrets: { orderBy: inOrder } }
  const found = await tables.client.findUnique({ where: { clientId }, include })
  if (found?.metadata === metadata && areSameSecrets(found.secrets, record.secrets)) return false
  await refuseContradiction(tables, record)
  if (found === null) await refuseSubject(tables, clientId)
  const client = clientFromMetadata(record.metadata)
  const { clientName: name, enabled } = client
  const kind = clientKindOf(client)
  const columns = { name, sortKey: clientSortKey(client), enabled, metadata, kind, updatedAt: now }
  const create = { ...columns, clientId, version: 1, createdAt: now, position: await nextPosition(tables) }
  await tables.client.upsert({
    where: { clientId },
    create,
    update: { ...columns, version: { increment: 1 } },
  })
  const stored = found?.secrets ?? []
  if (stored.length > 0) await tables.clientSecret.deleteMany({ where: { clientId } })
  for (const secret of secretsToRows(record.secrets, { stored, now }))
    await tables.clientSecret.create({ data: { clientId, ...secret } })
  await putClientTerms(tables, client, kind)
  // RT-08: enabled again, it begins anew
  if (found?.enabled === true && !enabled) await endIssued(tables, clientId, now)
  return true
}

async function refuseContradiction(tables: Tables, { clientId, metadata }: ClientRecord): Promise<void> {
  if (clientFromMetadata(metadata).clientId !== clientId) {
    throw new ConfigurationConflict(`The document of client ${clientId} names another client_id.`)
  }
  const user = await tables.user.findUnique({ where: { subject: clientId } })
  if (user === null) return
  throw new ConfigurationConflict(
    `The client_id ${clientId} is already the subject of the user ${user.username}.`,
  )
}

/**
 * AD-03: an administrator whom another store of people knows stands in no row of ours but this. And who was deleted is
 * still known to apps by their subject, which is never given to anybody else.
 */
async function refuseSubject(tables: Tables, clientId: string): Promise<void> {
  if ((await tables.administrator.findUnique({ where: { subject: clientId } })) !== null)
    throw new ConfigurationConflict(`The client_id ${clientId} is already the subject of an administrator.`)
  const where = { targetKind: 'user', targetId: exactly(clientId), action: exactly('users.delete') }
  if ((await tables.auditRow.findFirst({ where })) !== null)
    throw new ConfigurationConflict(`The client_id ${clientId} was the subject of a person.`)
}

async function nextPosition(tables: Tables): Promise<number> {
  const last = await tables.client.findFirst({ orderBy: { position: 'desc' } })
  return (last?.position ?? 0) + 1
}

/** Also ends everything issued to it. False when there was none. */
export async function removeClient(tables: Tables, clientId: string, now: Date): Promise<boolean> {
  const { count } = await tables.client.deleteMany({ where: { clientId } })
  if (count === 0) return false
  await removeTerms(tables, 'client', clientId)
  await endIssued(tables, clientId, now)
  await tables.consent.deleteMany({ where: { clientId } })
  // Another client of that name must not inherit the role
  await removeAdministrator(tables, clientId)
  return true
}
