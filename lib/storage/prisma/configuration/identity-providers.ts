/** Identity providers, read once per revision of the configuration. */
import type { IdentityProvider, IdentityProviders } from '#lib/ports/grants.ts'
import type { IdentityProvider as ProviderRow } from '#prisma/generated/sqlite/client.ts'
import type { Database } from '../../database.ts'
import { type CurrentRevision, cachedRead } from '../cached-read.ts'
import { parseStringList, providerScheme } from '../columns.ts'
import { orderByPosition } from './secrets.ts'

export function createIdentityProviders(database: Database, revision: CurrentRevision): IdentityProviders {
  const cached = cachedRead({ load: () => load(database), size: 1, revision })
  const all = async () => (await cached.read('all')) ?? []
  return {
    all,
    find: async scheme => (await all()).find(provider => provider.scheme === scheme) ?? null,
  }
}

async function load(database: Database): Promise<readonly IdentityProvider[]> {
  const rows = await database.identityProvider.findMany({ orderBy: orderByPosition })
  return rows.map(providerFromRow)
}

export function providerFromRow(row: ProviderRow): IdentityProvider {
  return {
    scheme: providerScheme(row.scheme),
    displayName: row.displayName,
    issuer: row.issuer,
    clientId: row.clientId,
    clientSecret: row.clientSecret,
    domains: parseStringList(row.domains),
    enabled: row.enabled,
  }
}

export function providerToRow(provider: IdentityProvider) {
  return {
    scheme: provider.scheme,
    displayName: provider.displayName,
    issuer: provider.issuer,
    clientId: provider.clientId,
    clientSecret: provider.clientSecret,
    domains: JSON.stringify(provider.domains),
    enabled: provider.enabled,
  }
}
