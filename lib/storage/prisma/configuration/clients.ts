/** Registered clients, parsed once per revision of the configuration. */
import { storage } from '#lib/config/limits.ts'
import type { Clients, RegisteredClient } from '#lib/ports/clients.ts'
import type { Client } from '#lib/protocol/client.ts'
import { clientFromMetadata } from '#lib/protocol/client-metadata.ts'
import type { Database } from '../../database.ts'
import type { RevisionCache } from './revision-cache.ts'
import { orderByPosition, secretFromRow } from './secrets.ts'

export function createClients(database: Database, cache: RevisionCache): Clients {
  const clients = cache.shelf<RegisteredClient>(storage.cachedDocuments)
  const origins = cache.shelf<ReadonlySet<string>>(1)
  return {
    find: clientId => clients(clientId, () => load(database, clientId)),
    allowsOrigin: async origin => {
      const allowed = await origins('all', () => loadOrigins(database))
      return allowed?.has(origin) ?? false
    },
  }
}

async function load(database: Database, clientId: string): Promise<RegisteredClient | null> {
  const include = { secrets: { orderBy: orderByPosition } }
  const row = await database.client.findUnique({ where: { clientId }, include })
  return row && { client: parse(row.metadata), secrets: row.secrets.map(secretFromRow) }
}

async function loadOrigins(database: Database): Promise<ReadonlySet<string>> {
  const rows = await database.client.findMany({ where: { enabled: true }, select: { metadata: true } })
  return new Set(rows.flatMap(row => parse(row.metadata).allowedCorsOrigins))
}

function parse(metadata: string): Client {
  return clientFromMetadata(JSON.parse(metadata))
}
