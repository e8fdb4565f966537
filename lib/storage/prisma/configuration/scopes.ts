/** Scopes, parsed once per revision of the configuration. */
import type { RegisteredScope, Scopes } from '#lib/ports/scopes.ts'
import { scopeFromMetadata } from '#lib/protocol/scope-metadata.ts'
import type { Client } from '../../client.ts'
import type { RevisionCache } from './revision-cache.ts'
import { inOrder, secretFromRow } from './secrets.ts'

export function createScopes(client: Client, cache: RevisionCache): Scopes {
  const shelf = cache.shelf<readonly RegisteredScope[]>(1)
  const all = async () => (await shelf('all', () => load(client))) ?? []
  return {
    all,
    find: async name => (await all()).find(registered => registered.scope.name === name) ?? null,
  }
}

async function load(client: Client): Promise<readonly RegisteredScope[]> {
  const include = { secrets: { orderBy: inOrder } }
  const rows = await client.scope.findMany({ orderBy: inOrder, include })
  return rows.map(row => ({
    scope: scopeFromMetadata(JSON.parse(row.metadata)),
    secrets: row.secrets.map(secretFromRow),
  }))
}
