/** Writing one client, scope, provider or user, when it is still as the admin saw it. */
import type { Committed, ConfigurationWrite, Expected } from '#lib/ports/admin-store.ts'
import type { Tables } from '../../database.ts'
import { putClients, removeClient } from './configured-clients.ts'
import { putProvider, refuseSharedDomains, removeProvider } from './configured-providers.ts'
import { putScope, removeScope } from './configured-scopes.ts'
import { putUser, removeUser } from './configured-users.ts'
import { bumpRevision } from './revision.ts'

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
