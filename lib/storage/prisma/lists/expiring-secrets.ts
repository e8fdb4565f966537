/** The list of secrets of clients and scopes that expire soon and must be replaced. */
import { adminList } from '#lib/config/limits.ts'
import type { AdminLists } from '#lib/ports/admin-lists.ts'
import { isHandedOver, successorOf } from '#lib/protocol/registration/secret-succession.ts'
import type { Database } from '../../database.ts'

type Expiring = Awaited<ReturnType<AdminLists['expiringSecrets']>>
type Span = { readonly from: Date; readonly until: Date; readonly limit: number }

export async function expiringSecrets(database: Database, { from, until, limit }: Span): Promise<Expiring> {
  const where = { expiresAt: { gte: from, lt: until } }
  const ofClients = await firstToReplace('client', limit, {
    page: async skip =>
      (
        await database.clientSecret.findMany({
          where,
          orderBy: [{ expiresAt: 'asc' }, { clientId: 'asc' }, { id: 'asc' }],
          take: adminList.largestPage,
          skip,
        })
      ).map(ofClient),
    secretsOf: async ids =>
      (await database.clientSecret.findMany({ where: { clientId: { in: [...ids] } } })).map(ofClient),
  })
  const ofScopes = await firstToReplace('scope', limit, {
    page: async skip =>
      (
        await database.scopeSecret.findMany({
          where,
          orderBy: [{ expiresAt: 'asc' }, { scopeName: 'asc' }, { id: 'asc' }],
          take: adminList.largestPage,
          skip,
        })
      ).map(ofScope),
    secretsOf: async ids =>
      (await database.scopeSecret.findMany({ where: { scopeName: { in: [...ids] } } })).map(ofScope),
  })
  return [...ofClients, ...ofScopes]
    .toSorted((left, right) => left.expiresAt.getTime() - right.expiresAt.getTime())
    .slice(0, limit)
}

type SecretRow = {
  readonly ownerId: string
  readonly name: string | null
  readonly createdAt: Date
  readonly expiresAt: Date | null
  readonly lastUsedAt: Date | null
}

const ofClient = <T extends { readonly clientId: string }>(row: T) => ({ ...row, ownerId: row.clientId })
const ofScope = <T extends { readonly scopeName: string }>(row: T) => ({ ...row, ownerId: row.scopeName })

type Reads = {
  /** Reads the next expiring secrets, the soonest first. */
  readonly page: (skip: number) => Promise<readonly SecretRow[]>
  readonly secretsOf: (ownerIds: readonly string[]) => Promise<readonly SecretRow[]>
}

/** Returns at least `limit` secrets that are not handed over to a successor, or all if there are fewer. */
async function firstToReplace(
  owner: Expiring[number]['owner'],
  limit: number,
  { page, secretsOf }: Reads,
): Promise<Expiring> {
  const found: Expiring[number][] = []
  for (let skip = 0; found.length < limit; skip += adminList.largestPage) {
    const rows = await page(skip)
    const all = rows.length === 0 ? [] : await secretsOf(rows.map(row => row.ownerId))
    found.push(...rows.flatMap(row => withSuccessor(owner, row, all)))
    if (rows.length < adminList.largestPage) break
  }
  return found
}

function withSuccessor(
  owner: Expiring[number]['owner'],
  row: SecretRow,
  all: readonly SecretRow[],
): Expiring {
  const { ownerId: id, name, expiresAt } = row
  const ofOwner = all.filter(other => other.ownerId === id)
  if (expiresAt === null || isHandedOver(ofOwner, row)) return []
  const successor = successorOf(ofOwner, row)
  const listed = successor && { name: String(successor.name), isUsed: successor.lastUsedAt !== null }
  return [{ owner, id, name, expiresAt, successor: listed }]
}
