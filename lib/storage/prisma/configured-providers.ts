/** Writing one identity provider. */
import type { IdentityProvider } from '#lib/ports/grants.ts'
import type { Tables } from '../client.ts'
import { providerFromRow, providerToRow } from './identity-providers.ts'

/** Creates or replaces it. False when it already was as asked. */
export async function putProvider(tables: Tables, provider: IdentityProvider, now: Date): Promise<boolean> {
  const { scheme } = provider
  const columns = providerToRow(provider)
  const found = await tables.identityProvider.findUnique({ where: { scheme } })
  if (found !== null && isSame(providerToRow(providerFromRow(found)), columns)) return false
  const position = await nextPosition(tables)
  const create = { ...columns, position, version: 1, createdAt: now, updatedAt: now }
  const update = { ...columns, version: { increment: 1 }, updatedAt: now }
  await tables.identityProvider.upsert({ where: { scheme }, create, update })
  return true
}

function isSame(left: object, right: object): boolean {
  return JSON.stringify(left) === JSON.stringify(right)
}

async function nextPosition(tables: Tables): Promise<number> {
  const last = await tables.identityProvider.findFirst({ orderBy: { position: 'desc' } })
  return (last?.position ?? 0) + 1
}

/** False when there was none. */
export async function removeProvider(tables: Tables, scheme: string): Promise<boolean> {
  const { count } = await tables.identityProvider.deleteMany({ where: { scheme } })
  return count === 1
}
