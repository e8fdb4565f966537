/**
 * Lists, counts and reads clients for the dashboard, and finds those with a certain scope, identity provider or
 * setting.
 */
import { z } from 'zod'
import { countedAtMost } from '#lib/config/limits.ts'
import type {
  AdminLists,
  ClientFilter,
  ListedClient,
  Page,
  PageRequest,
  TimeOrder,
} from '#lib/ports/admin-lists.ts'
import { clientKindSchema } from '#lib/protocol/registration/client.ts'
import { clientMetadataFields } from '#lib/protocol/registration/client-fields.ts'
import { isHandedOver } from '#lib/protocol/registration/secret-succession.ts'
import { type Client as ClientRow, Prisma } from '#prisma/generated/sqlite/client.ts'
import type { Database } from '../../database.ts'
import { clientTermKinds, searchWords } from '../configuration/search-terms.ts'
import { orderByPosition, secretDates, secretFromRow } from '../configuration/secrets.ts'
import { readDocument } from '../configuration/stored-documents.ts'
import { clientId, inOrderOf } from '../rows.ts'
import { counted, pageByTime, pageOf, positionIn, restOf } from './page.ts'
import { countByWords, findByWords, isThere, type WordSearch } from './word-search.ts'

const positionSchema = z.tuple([z.string()])
const orderBy = { sortKey: 'asc' } as const

export function createClientLists(
  database: Database,
): Pick<AdminLists, 'clients' | 'countClients' | 'client' | 'clientsWith'> {
  return {
    clients: async (filter, page, now, order = null) => {
      const asked = searchOf(filter)
      const all = () =>
        order === null ? listAll(database, filter, page) : listByTime(database, filter, page, order)
      const rows = await (asked === null ? all() : listFound(database, asked, page))
      const ends = await secretEnds(database, rows.items, now)
      return { ...rows, items: rows.items.map(row => listed(row, ends.get(row.clientId) ?? null)) }
    },
    countClients: async filter => {
      const asked = searchOf(filter)
      if (asked !== null) return countByWords(database, asked)
      const where = filteredBy(filter)
      return counted(await database.client.count({ where, orderBy, take: countedAtMost + 1 }))
    },
    client: async id => {
      const include = { secrets: { orderBy: orderByPosition } }
      const row = await database.client.findUnique({ where: { clientId: id }, include })
      if (row === null) return null
      const { version, createdAt, updatedAt, lastUsedAt } = row
      const secrets = row.secrets.map(secretFromRow)
      const metadata = readDocument(row.metadata, clientMetadataFields)
      const record = { clientId: clientId(row.clientId), metadata, secrets }
      const kind = clientKindSchema.parse(row.kind)
      const dates = row.secrets.map(secretDates)
      return { ...record, kind, version, createdAt, updatedAt, lastUsedAt, secretDates: dates }
    },
    clientsWith: (what, limit) => findNamed(database, { ...namedBy(what), limit }),
  }
}

function namedBy(what: Parameters<AdminLists['clientsWith']>[0]) {
  if ('scope' in what) return { kind: clientTermKinds.byScope, name: what.scope }
  if ('provider' in what) return { kind: clientTermKinds.byProvider, name: what.provider }
  return { kind: clientTermKinds.bySwitch, name: what.setting }
}

type Named = { readonly kind: string; readonly name: string; readonly limit: number }

/**
 * Finds the clients that have a search term of this `kind` for `name`, such as the name of a scope; sorted by client
 * name.
 */
async function findNamed(database: Database, { kind, name, limit }: Named) {
  const where = { kind, term: { gte: `${name} `, lt: `${name}!` } }
  const orderBy = [{ term: 'asc' }, { id: 'asc' }] as const
  const terms = await database.searchTerm.findMany({ where, orderBy: [...orderBy], take: limit })
  const ids = terms.map(term => term.id)
  const rows = await database.client.findMany({ where: { clientId: { in: ids } } })
  return inOrderOf(ids, rows, row => row.clientId).map(row => ({
    clientId: clientId(row.clientId),
    name: row.name,
  }))
}

async function listAll(
  database: Database,
  filter: ClientFilter,
  { after, limit }: PageRequest,
): Promise<Page<ClientRow>> {
  const position = positionIn(after, positionSchema)
  const where = { ...filteredBy(filter), ...(position === null ? {} : { sortKey: { gt: position[0] } }) }
  const rows = await database.client.findMany({ where, orderBy, take: limit + 1 })
  return pageOf(rows, limit, row => [row.sortKey])
}

function listByTime(
  database: Database,
  filter: ClientFilter,
  page: PageRequest,
  { by, isDescending }: TimeOrder<'updated' | 'last_used'>,
): Promise<Page<ClientRow>> {
  const byTime = <T>(is: T) => (by === 'updated' ? { updatedAt: is } : { lastUsedAt: is })
  return pageByTime<ClientRow>(page, {
    isDescending,
    hasUntimed: by === 'last_used',
    read: walk => {
      const times = by === 'updated' ? {} : { lastUsedAt: walk.isTimed ? { not: null } : null }
      return database.client.findMany({
        where: { AND: [filteredBy(filter), times, restOf(walk, byTime, clientId => ({ clientId }))] },
        orderBy: [byTime(walk.direction), { clientId: walk.direction }],
        take: walk.take,
      })
    },
    positionOf: row => [by === 'updated' ? row.updatedAt : row.lastUsedAt, row.clientId],
  })
}

async function listFound(database: Database, asked: WordSearch, page: PageRequest): Promise<Page<ClientRow>> {
  const { items, next } = await findByWords(database, asked, page)
  const rows = await database.client.findMany({ where: { clientId: { in: [...items] } } })
  return { items: inOrderOf(items, rows, row => row.clientId), next }
}

function filteredBy({ kind, enabled }: ClientFilter) {
  return { ...(kind === null ? {} : { kind }), ...(enabled === null ? {} : { enabled }) }
}

/**
 * Selects the search terms that a search reads: those of disabled clients, else of the kind, else of all clients. The
 * other conditions are checked on the clients themselves.
 */
function searchOf({ search, kind, enabled }: ClientFilter): WordSearch | null {
  const words = searchWords(search)
  if (words === null) return null
  if (enabled === false) {
    const condition = kind === null ? null : isClient(Prisma.sql`c."kind" = ${kind}`)
    return { kind: clientTermKinds.disabled, words, condition }
  }
  const condition = enabled === null ? null : isClient(Prisma.sql`c."enabled" = ${true}`)
  return { kind: kind === null ? clientTermKinds.all : clientTermKinds.ofKind(kind), words, condition }
}

function isClient(condition: Prisma.Sql): Prisma.Sql {
  return isThere(Prisma.sql`"Client" c WHERE c."clientId" = t."id" AND ${condition}`)
}

/**
 * Returns the earliest future expiry of a secret that is not handed over to a successor, for each client that has one.
 */
async function secretEnds(
  database: Database,
  rows: readonly ClientRow[],
  now: Date,
): Promise<ReadonlyMap<string, Date | null>> {
  const ids = rows.map(row => row.clientId)
  const secrets = await database.clientSecret.findMany({
    where: { clientId: { in: ids }, OR: [{ expiresAt: null }, { expiresAt: { gt: now } }] },
    orderBy: { expiresAt: 'desc' },
    select: { clientId: true, name: true, createdAt: true, expiresAt: true, lastUsedAt: true },
  })
  const ofClients = Map.groupBy(secrets, secret => secret.clientId)
  const isNeeded = (secret: (typeof secrets)[number]) =>
    secret.expiresAt !== null && !isHandedOver(ofClients.get(secret.clientId) ?? [], secret)
  return new Map(secrets.filter(isNeeded).map(secret => [secret.clientId, secret.expiresAt]))
}

function listed(row: ClientRow, secretExpiresAt: Date | null): ListedClient {
  return {
    clientId: clientId(row.clientId),
    name: row.name,
    kind: clientKindSchema.parse(row.kind),
    enabled: row.enabled,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    lastUsedAt: row.lastUsedAt,
    secretExpiresAt,
  }
}
