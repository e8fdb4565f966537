/** Registered clients, parsed once per revision of the configuration. */
import { storage } from '#lib/config/limits.ts'
import type { Clients, RegisteredClient } from '#lib/ports/clients.ts'
import type { Client } from '#lib/protocol/registration/client.ts'
import { clientFromMetadata } from '#lib/protocol/registration/client.ts'
import type { Database } from '../../database.ts'
import { type CurrentRevision, cachedRead } from '../cached-read.ts'
import { orderByPosition, secretFromRow } from './secrets.ts'

export function createClients(database: Database, revision: CurrentRevision): Clients {
  const clients = cachedRead({ load: id => load(database, id), size: storage.cachedDocuments, revision })
  const origins = cachedRead({ load: () => loadOrigins(database), size: 1, revision })
  return {
    find: clients.read,
    allowsOrigin: async origin => {
      const allowed = await origins.read('all')
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
