/** Scopes, parsed once per revision of the configuration. */
import type { RegisteredScope, Scopes } from '#lib/ports/scopes.ts'
import { scopeFromMetadata } from '#lib/protocol/registration/scope.ts'
import type { Database } from '../../database.ts'
import { type CurrentRevision, cachedRead } from '../cached-read.ts'
import { orderByPosition, secretFromRow } from './secrets.ts'

export function createScopes(database: Database, revision: CurrentRevision): Scopes {
  const cached = cachedRead({ load: () => load(database), size: 1, revision })
  const all = async () => (await cached.read('all')) ?? []
  return {
    all,
    find: async name => (await all()).find(registered => registered.scope.name === name) ?? null,
  }
}

async function load(database: Database): Promise<readonly RegisteredScope[]> {
  const include = { secrets: { orderBy: orderByPosition } }
  const rows = await database.scope.findMany({ orderBy: orderByPosition, include })
  return rows.map(row => ({
    scope: scopeFromMetadata(JSON.parse(row.metadata)),
    secrets: row.secrets.map(secretFromRow),
  }))
}
