/** Registered clients, parsed once per revision of the configuration. */
import { storage } from '#lib/config/limits.ts'
import type { Clients, RegisteredClient } from '#lib/ports/clients.ts'
import type { Client } from '#lib/protocol/client.ts'
import { clientFromMetadata } from '#lib/protocol/client-metadata.ts'
import type * as database from '../../client.ts'
import type { RevisionCache } from './revision-cache.ts'
import { inOrder, secretFromRow } from './secrets.ts'

export function createClients(client: database.Client, cache: RevisionCache): Clients {
  const clients = cache.shelf<RegisteredClient>(storage.cachedDocuments)
  const origins = cache.shelf<ReadonlySet<string>>(1)
  return {
    find: clientId => clients(clientId, () => load(client, clientId)),
    allowsOrigin: async origin => {
      const allowed = await origins('all', () => loadOrigins(client))
      return allowed?.has(origin) ?? false
    },
  }
}

async function load(client: database.Client, clientId: string): Promise<RegisteredClient | null> {
  const include = { secrets: { orderBy: inOrder } }
  const row = await client.client.findUnique({ where: { clientId }, include })
  return row && { client: parse(row.metadata), secrets: row.secrets.map(secretFromRow) }
}

async function loadOrigins(client: database.Client): Promise<ReadonlySet<string>> {
  const rows = await client.client.findMany({ where: { enabled: true }, select: { metadata: true } })
  return new Set(rows.flatMap(row => parse(row.metadata).allowedCorsOrigins))
}

function parse(metadata: string): Client {
  return clientFromMetadata(JSON.parse(metadata))
}
